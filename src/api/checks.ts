import type { IncomingMessage } from 'node:http'
import { fail } from '../errors.ts'
import { apiKeys } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import { type Caller, isIdentifier } from '../schema/index.ts'
import { hashToken, looksLikeSecret, splitToken } from '../token.ts'
import { shorten } from '../words/flaw.ts'
import { NAME } from '../words/name.ts'
import { API_VERSION } from '../words/vendor.ts'

const BEARER = /^bearer +(\S+) *$/i

/** The bearer token of a request, if that is what its Authorization header holds. */
export const bearerOf = (req: IncomingMessage) => BEARER.exec(req.headers.authorization ?? '')?.[1]

/** docs/api.md 5: the bearer token must be that of a key in the sandbox it names. */
export function authenticate(call: Call, req: IncomingMessage, bearer: string | undefined) {
  const header = req.headers.authorization
  const known = call.sandbox.tables.derive(knownCallers)
  const before = header === undefined ? undefined : known.get(header)
  if (before) return identify(call, before)
  if (header === undefined || header.trim() === '') fail('no_authorization', {})
  if (bearer === undefined) fail('bad_authorization', { received: schemeOf(header) })
  const { secret, name } = splitToken(bearer)
  if (!NAME.test(name))
    fail('not_a_credential', { why: `what follows the ~ names a sandbox, and must match ${NAME.source}` })
  if (!looksLikeSecret(secret))
    fail('not_a_credential', { why: 'tokens are made of A-Z a-z 0-9 _ . - (and ~ before the name of a sandbox)' })
  const { sandbox } = call
  if (name !== sandbox.name) fail('no_such_sandbox', { sandbox: name })
  const keys = sandbox.tables.of(apiKeys.table)
  const key = keys.where('token_sha256', hashToken(secret))[0]
  if (!key) {
    if (isIdentifier(apiKeys.prefix, secret) && keys.get(secret)) fail('key_id_as_token', { id: secret })
    fail('unknown_token', { sandbox: name })
  }
  const id = key.owner_id as string
  const owner = sandbox.tables.of('users').get(id) ?? sandbox.tables.of('bots').get(id)
  const shown = { id, key_id: key.id }
  const found = { caller: { ...shown, admin: owner?.admin === true }, shown }
  if (known.size < MOST_CALLERS) known.set(header, found)
  identify(call, found)
}

interface Known {
  caller: Caller
  /** As the journal shows it. */
  shown: { id: string; key_id: string }
}

function identify(call: Call, { caller, shown }: Known) {
  call.caller = caller
  call.entry.caller = shown
}

const MOST_CALLERS = 1_000

/** Who was authenticated in this state before, by header: to hash a token takes longer than all other checks. */
const knownCallers = () => new Map<string, Known>()

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
