import type { IncomingMessage } from 'node:http'
import { shorten } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import { API_VERSION, NAME } from '../contract/names.ts'
import { hashToken, looksLikeSecret, type Token } from '../contract/token.ts'
import type { Verdict } from '../ip/policy.ts'
import { apiKeys } from '../resources/index.ts'
import type { Call, Sandbox } from '../sandbox/index.ts'
import { isIdentifier } from '../schema/index.ts'
import { type Restriction, restrictionsOf, type Tables } from '../state/index.ts'

/** docs/api.md 5: the bearer token must be that of a key in the sandbox it names. No token is kept, only hashed. */
export function authenticate(call: Call, authorization: string | undefined, token: Token | undefined) {
  if (authorization === undefined || authorization.trim() === '') fail('no_authorization', {})
  if (token === undefined) fail('bad_authorization', { received: schemeOf(authorization) })
  const { tables, name } = call.sandbox
  const keys = tables.of(apiKeys.table)
  const isPlausible = token.name === name && looksLikeSecret(token.secret)
  const key = isPlausible ? keys.first('token_sha256', hashToken(token.secret)) : undefined
  if (!key) failUnauthenticated(token, call.sandbox)
  const id = key.owner_id as string
  const owner = tables.of('users').get(id) ?? tables.of('bots').get(id)
  call.entry.caller = { id, key_id: key.id }
  call.caller = { id, key_id: key.id, admin: owner?.admin === true }
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

/** The restrictions of type `api` of each state, compiled once: with thousands of rules that takes long. */
export class ApiRestrictions {
  readonly #compiled = new WeakMap<Tables, { version: number; restrictions: readonly Restriction[] }>()

  of(tables: Tables): readonly Restriction[] {
    const { version } = tables
    let compiled = this.#compiled.get(tables)
    if (compiled?.version !== version) {
      compiled = { version, restrictions: restrictionsOf(tables, 'api') }
      this.#compiled.set(tables, compiled)
    }
    return compiled.restrictions
  }
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
