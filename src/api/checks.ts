import type { IncomingMessage } from 'node:http'
import { shorten } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import type { Entry } from '../contract/journal-entry.ts'
import { API_VERSION, NAME } from '../contract/names.ts'
import { hashToken, looksLikeSecret, type Token } from '../contract/token.ts'
import type { Verdict } from '../ip/policy.ts'
import { apiKeys } from '../resources/index.ts'
import type { Call, Sandbox } from '../sandbox/index.ts'
import { type Caller, isIdentifier } from '../schema/index.ts'
import { type Restriction, restrictionsOf, type Tables } from '../state/index.ts'

/** Who may call the API in one version of a state. */
class Access {
  /** The next call mostly has the same header: to hash the token of every call made a GET 8 % slower. */
  latest: { authorization: string; caller: Caller; shown: Entry['caller'] } | undefined
  #restrictions: readonly Restriction[] | undefined

  constructor(
    readonly tables: Tables,
    readonly version = tables.version,
  ) {}

  callerWith(secret: string): Caller | undefined {
    const key = this.tables.of(apiKeys.table).first('token_sha256', hashToken(secret))
    if (!key) return undefined
    const id = key.owner_id as string
    const owner = this.tables.of('users').get(id) ?? this.tables.of('bots').get(id)
    return { id, key_id: key.id, admin: owner?.admin === true }
  }

  /** Compiled once: thousands of rules take long. */
  get restrictions(): readonly Restriction[] {
    this.#restrictions ??= restrictionsOf(this.tables, 'api')
    return this.#restrictions
  }
}

/** The access to each state, as long as the state does not change. */
export class AccessByState {
  readonly #latest = new WeakMap<Tables, Access>()

  of(tables: Tables): Access {
    const known = this.#latest.get(tables)
    if (known?.version === tables.version) return known
    const access = new Access(tables)
    this.#latest.set(tables, access)
    return access
  }
}

/** docs/api.md 5: the bearer token must be that of a key in the sandbox it names. */
export function authenticate(call: Call, access: Access, authorization: string | undefined, token: Token | undefined) {
  if (access.latest === undefined || access.latest.authorization !== authorization) {
    if (authorization === undefined || authorization.trim() === '') fail('no_authorization', {})
    if (token === undefined) fail('bad_authorization', { received: schemeOf(authorization) })
    const isPlausible = token.name === call.sandbox.name && looksLikeSecret(token.secret)
    const caller = isPlausible ? access.callerWith(token.secret) : undefined
    if (!caller) failUnauthenticated(token, call.sandbox)
    access.latest = { authorization, caller, shown: { id: caller.id, key_id: caller.key_id } }
  }
  call.caller = access.latest.caller
  call.entry.caller = access.latest.shown
}

function failUnauthenticated({ secret, name }: Token, sandbox: Sandbox): never {
  if (!NAME.test(name))
    fail('not_a_credential', { why: `what follows the ~ names a sandbox, and must match ${NAME.source}` })
  if (!looksLikeSecret(secret))
    fail('not_a_credential', { why: 'tokens are made of A-Z a-z 0-9 _ . - (and ~ before the name of a sandbox)' })
  if (name !== sandbox.name) fail('no_such_sandbox', { sandbox: name })
  if (isIdentifier(apiKeys.prefix, secret) && sandbox.tables.of(apiKeys.table).get(secret))
    fail('key_id_as_token', { id: secret })
  fail('unknown_token', { sandbox: name })
}

/** Repeats only known schemes: a token sent without one must not get into the journal. */
const schemeOf = (authorization: string) => {
  const scheme = /^(Basic|Digest|Negotiate|Token|ApiKey|Bearer)\b/i.exec(authorization.trim())?.[1]
  return scheme ? JSON.stringify(scheme) : 'something else'
}

/** docs/api.md 9. A header with another vendor's word is the usual mistake, so the error names it. */
export function checkVersion(call: Call, req: IncomingMessage, header: string) {
  const given = req.headers[header.toLowerCase()] as string | undefined
  if (given === API_VERSION || given?.trim() === API_VERSION) return
  if (given !== undefined) {
    if (call.assume('wrong_version') === 'reject') fail('wrong_version', { header, received: shorten(given, 40) })
    return
  }
  if (call.assume('missing_version') !== 'reject') return
  const other = Object.keys(req.headers).find(name => /^[a-z][a-z0-9_]*-version$/.test(name))
  fail('missing_version', { header, other, vendor: other?.slice(0, -'-version'.length) })
}

/** Each restriction is judged alone; all that are enforced must let the source pass, the others only warn. */
export function checkSource(call: Call, restrictions: readonly Restriction[]) {
  for (const { id, enforced, matcher } of restrictions) {
    const verdict = matcher ? matcher.judge(call.sourceIp) : withoutPolicies(call)
    if (verdict.passes) continue
    if (enforced) fail('source_blocked', { source_ip: call.sourceIp, restriction: id, why: verdict.why })
    call.warn(`The IP restriction ${id} is not enforced; if it were, it would block ${call.sourceIp}: ${verdict.why}.`)
  }
}

const withoutPolicies = (call: Call): Verdict => ({
  passes: call.assume('no_policies_attached') === 'pass',
  why: 'it has no IP policies, and no_policies_attached=refuse is assumed',
})
