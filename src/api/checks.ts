import type { IncomingMessage } from 'node:http'
import { shorten } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import type { Entry } from '../contract/journal-entry.ts'
import { API_VERSION, NAME } from '../contract/names.ts'
import { hashToken, looksLikeSecret, type Token, whyNoToken } from '../contract/token.ts'
import { apiKeys, credentials, kindOf, OWNERS } from '../resources/index.ts'
import type { Call, Sandbox } from '../sandbox/index.ts'
import { type Caller, type Collection, isIdentifier, pathTo } from '../schema/index.ts'
import { checkRestrictions, type Tables } from '../state/index.ts'

interface KnownCaller {
  authorization: string
  caller: Caller
  shown: Entry['caller']
}

/** In a state. The next call mostly has the same header, and to find the key of every call made a GET 1.15 times as long. */
const latestCaller = () => ({ known: undefined as KnownCaller | undefined })

/** docs/api.md 5: the token must be that of a key in the sandbox it names. */
export function authenticate(call: Call, authorization: string | undefined, token: Token | undefined) {
  const { sandbox } = call
  const latest = sandbox.tables.derive(latestCaller)
  if (latest.known === undefined || latest.known.authorization !== authorization) {
    if (authorization === undefined || authorization.trim() === '') fail('no_authorization', {})
    if (token === undefined) fail('bad_authorization', { why: whyNoToken(authorization) })
    const isPlausible = token.name === sandbox.name && looksLikeSecret(token.secret)
    const caller = isPlausible ? callerWith(sandbox.tables, token.secret) : undefined
    if (!caller) failUnauthenticated(token, sandbox)
    latest.known = { authorization, caller, shown: { id: caller.id, key_id: caller.key_id } }
  }
  call.caller = latest.known.caller
  call.entry.caller = latest.known.shown
}

function callerWith(tables: Tables, secret: string): Caller | undefined {
  const key = tables.of(apiKeys.table).first('token_sha256', hashToken(secret))
  if (!key) return undefined
  const id = key.owner_id as string
  const table = OWNERS.find(each => tables.of(each).get(id)) ?? OWNERS[0]!
  const owner = tables.of(table).get(id)
  if (owner?.active === false)
    fail('caller_inactive', { id: key.id, owner: id, path: pathTo(kindOf(table) as Collection, owner) })
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
  const credential = sandbox.tables.of(credentials.table).first('token_sha256', hashToken(secret))
  if (credential) fail('credential_as_token', { id: credential.id })
  fail('unknown_token', { sandbox: name })
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
