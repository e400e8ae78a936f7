import type { IncomingMessage } from 'node:http'
import { shorten } from '../basics/problem.ts'
import { fail } from '../contract/errors.ts'
import { API_VERSION, NAME } from '../contract/names.ts'
import { hashToken, looksLikeSecret, SECRET, splitToken } from '../contract/token.ts'
import { apiKeys } from '../resources/index.ts'
import type { Access, Call, Sandbox } from '../sandbox/index.ts'
import { isIdentifier } from '../schema/index.ts'
import { restrictionsOf } from '../state/index.ts'

/** docs/api.md 5: the bearer token must be that of a key in the sandbox it names. */
export function authenticate(call: Call, req: IncomingMessage, bearer: string | undefined): Access {
  const { sandbox } = call
  const header = req.headers.authorization
  const { tables } = sandbox
  const before = sandbox.access
  const current = before?.tables === tables && before.version === tables.version ? before : undefined
  const access =
    current && current.header === header ? current : findAccess(sandbox, header, bearer, current?.restrictions)
  sandbox.access = access
  call.caller = access.caller
  call.entry.caller = access.shown
  return access
}

function findAccess(
  sandbox: Sandbox,
  header: string | undefined,
  bearer: string | undefined,
  restrictions: Access['restrictions'] | undefined,
): Access {
  if (header === undefined || header.trim() === '') fail('no_authorization', {})
  if (bearer === undefined) fail('bad_authorization', { received: schemeOf(header) })
  const { secret, name } = splitToken(bearer)
  if (!NAME.test(name))
    fail('not_a_credential', { why: `what follows the ~ names a sandbox, and must match ${NAME.source}` })
  if (!looksLikeSecret(secret))
    fail('not_a_credential', { why: 'tokens are made of A-Z a-z 0-9 _ . - (and ~ before the name of a sandbox)' })
  if (name !== sandbox.name) fail('no_such_sandbox', { sandbox: name })
  const { tables } = sandbox
  const keys = tables.of(apiKeys.table)
  const key = keys.first('token_sha256', hashOf(secret))
  if (!key) {
    if (isIdentifier(apiKeys.prefix, secret) && keys.get(secret)) fail('key_id_as_token', { id: secret })
    fail('unknown_token', { sandbox: name })
  }
  const id = key.owner_id as string
  const owner = tables.of('users').get(id) ?? tables.of('bots').get(id)
  const shown = { id, key_id: key.id }
  const caller = { ...shown, admin: owner?.admin === true }
  return {
    header,
    tables,
    version: tables.version,
    caller,
    shown,
    restrictions: restrictions ?? restrictionsOf(tables, 'api'),
  }
}

const MOST_HASHES = 1_000
const hashes = new Map<string, string>()

/** To hash a token takes longer than all other checks, and most that come have come before. */
function hashOf(secret: string): string {
  const known = hashes.get(secret)
  if (known !== undefined) return known
  const sha256 = hashToken(secret)
  if (hashes.size >= MOST_HASHES) hashes.clear()
  // Longer ones belong to nobody.
  if (SECRET.test(secret)) hashes.set(secret, sha256)
  return sha256
}

/** Repeats only known schemes: a token sent without one must not get into the journal. */
const schemeOf = (header: string) => {
  const scheme = /^(Basic|Digest|Negotiate|Token|ApiKey|Bearer)\b/i.exec(header.trim())?.[1]
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
