import type { IncomingMessage } from 'node:http'
import { shorten } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import type { Entry } from '../contract/journal-entry.ts'
import { API_VERSION, NAME } from '../contract/names.ts'
import { hashToken, looksLikeSecret, type Token } from '../contract/token.ts'
import { apiKeys } from '../resources/index.ts'
import type { Call, Sandbox } from '../sandbox/index.ts'
import { type Caller, isIdentifier } from '../schema/index.ts'
import { checkRestrictions, type Tables } from '../state/index.ts'

/** The next call mostly has the same header: to hash the token of every call made a GET 8 % slower. */
interface LatestCaller {
  authorization?: string
  caller?: Caller
  shown?: Entry['caller']
}

/** Of the state: a change may take away the key. */
const latestCaller = (): LatestCaller => ({})

/** docs/api.md 5: the bearer token must be that of a key in the sandbox it names. */
export function authenticate(call: Call, authorization: string | undefined, token: Token | undefined) {
  const { tables } = call.sandbox
  const latest = tables.derive(latestCaller)
  if (latest.authorization === undefined || latest.authorization !== authorization) {
    if (authorization === undefined || authorization.trim() === '') fail('no_authorization', {})
    if (token === undefined) fail('bad_authorization', { received: schemeOf(authorization) })
    const isPlausible = token.name === call.sandbox.name && looksLikeSecret(token.secret)
    const caller = isPlausible ? callerWith(tables, token.secret) : undefined
    if (!caller) failUnauthenticated(token, call.sandbox)
    Object.assign(latest, { authorization, caller, shown: { id: caller.id, key_id: caller.key_id } })
  }
  call.caller = latest.caller!
  call.entry.caller = latest.shown!
}

function callerWith(tables: Tables, secret: string): Caller | undefined {
  const key = tables.of(apiKeys.table).first('token_sha256', hashToken(secret))
  if (!key) return undefined
  const id = key.owner_id as string
  const owner = tables.of('users').get(id) ?? tables.of('bots').get(id)
  return { id, key_id: key.id, admin: owner?.admin === true }
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

/** docs/api.md 4.2: restrictions of type api. */
export function checkSource(call: Call) {
  const { sandbox, sourceIp } = call
  const { passes, decidedBy, why, warnings } = checkRestrictions(sandbox.tables, 'api', sourceIp, call)
  for (const warning of warnings) call.warn(warning)
  if (!passes) fail('source_blocked', { source_ip: sourceIp, restriction: decidedBy, why })
}
