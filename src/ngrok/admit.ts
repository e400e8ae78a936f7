import { memoize, memoizeBy } from '../basics/memoize.ts'
import { shorten } from '../basics/problem.ts'
import { NAME } from '../contract/names.ts'
import type { Admitted, Credentials, Head, Visit } from '../engine/api.ts'
import { fail } from '../engine/error.ts'
import { type Collection, isIdentifier, pathTo, type Row } from '../engine/language/index.ts'
import type { Tables } from '../engine/state/index.ts'
import { hashToken, readBasic, type Token } from '../engine/token.ts'
import { checkRestrictions } from './access/restrictions.ts'
import { errors } from './errors.ts'
import { questions } from './questions.ts'
import { apiKeys, credentials, kindOf, OWNERS } from './resources/index.ts'
import { API_VERSION, versionHeader } from './vendor.ts'

interface KnownCaller {
  authorization: string
  key: Key
  owner: Row | undefined
  admitted: Admitted
}

type Sandbox = Visit['sandbox']

/** The latest caller of a sandbox. Callers mostly repeat their header, and a lookup for each made a GET 15 % slower. */
const latestOf = memoizeBy((_sandbox: Sandbox): { known?: KnownCaller } => ({}))

/** What must be true before the body is read: the version, edges in service, and an allowed source. */
export function gate(visit: Visit, head: Head) {
  checkVersion(visit, head)
  checkEdges(visit)
  checkSource(visit)
}

/** docs/api.md 5: the token must belong to a key in the sandbox that it names. */
export function authenticate({ sandbox }: Visit, { authorization, token }: Credentials): Admitted {
  const latest = latestOf(sandbox)
  let { known } = latest
  if (known === undefined || known.authorization !== authorization || !isStill(known, sandbox.tables)) {
    if (authorization === undefined || authorization.trim() === '') fail(errors.no_authorization, {})
    if (token === undefined) fail(errors.bad_authorization, { why: whyNoToken(authorization) })
    const isPlausible = token.name === sandbox.name && looksLikeSecret(token.secret)
    const key = isPlausible ? keyWith(sandbox.tables, token.secret) : undefined
    if (!key) failUnauthenticated(token, sandbox)
    known = { authorization, key, ...callerOf(sandbox.tables, key) }
    latest.known = known
  }
  return known.admitted
}

/** Rows never change, so the same rows mean the same caller. */
const isStill = ({ key, owner }: KnownCaller, tables: Tables) =>
  tables.get(apiKeys, key.id) === key && ownerOf(tables, key.owner_id).owner === owner

const keyWith = (tables: Tables, secret: string) => tables.first(apiKeys, 'token_sha256', hashToken(secret))
type Key = NonNullable<ReturnType<typeof keyWith>>

function ownerOf(tables: Tables, id: string) {
  for (const table of OWNERS) {
    const owner = tables.get(table, id)
    if (owner) return { table, owner }
  }
  return { table: OWNERS[0]!, owner: undefined }
}

function callerOf(tables: Tables, key: Key): Omit<KnownCaller, 'authorization' | 'key'> {
  const id = key.owner_id
  const { table, owner } = ownerOf(tables, id)
  if (owner?.active === false)
    fail(errors.caller_inactive, { id: key.id, owner: id, path: pathTo(kindOf(table) as Collection, owner) })
  const shown = { id, key_id: key.id }
  return { owner, admitted: { caller: { ...shown, admin: owner?.admin === true }, shown } }
}

/** Why a header has no token. Quotes only known schemes, so a token without one never gets into the journal. */
function whyNoToken(header: string): string {
  const [, scheme, rest] = /^(Basic|Digest|Negotiate|Token|ApiKey|Bearer)\b(.*)$/i.exec(header.trim()) ?? []
  if (scheme?.toLowerCase() !== 'basic') return `it starts with ${scheme ? JSON.stringify(scheme) : 'something else'}`
  if (!rest) return '"Basic" is followed by nothing'
  const basic = readBasic(header)
  if (!basic) return '"Basic" is not followed by base64'
  return `"Basic" is followed by ${basic[1] === '' ? 'an empty password' : 'a string without a colon before the password'}`
}

/** A secret in a request: the part of a token before `~`. */
const looksLikeSecret = (text: string) => /^[A-Za-z0-9_.-]+$/.test(text)

function failUnauthenticated({ secret, name }: Token, sandbox: Sandbox): never {
  if (!NAME.test(name)) fail(errors.not_a_credential, { why: `the sandbox name after ~ must match ${NAME.source}` })
  if (!looksLikeSecret(secret))
    fail(errors.not_a_credential, { why: 'tokens contain only A-Z a-z 0-9 _ . - (and ~ before a sandbox name)' })
  if (name !== sandbox.name) fail(errors.no_such_sandbox, { sandbox: name })
  if (isIdentifier(apiKeys.prefix, secret) && sandbox.tables.get(apiKeys.table, secret))
    fail(errors.key_id_as_token, { id: secret })
  const credential = sandbox.tables.of(credentials.table).first('token_sha256', hashToken(secret))
  if (credential) fail(errors.credential_as_token, { id: credential.id })
  fail(errors.unknown_token, { sandbox: name })
}

/** docs/api.md 9. The error names a version header of another vendor, which is a common mistake. */
function checkVersion(call: Visit, req: Head) {
  const { vendor } = call.sandbox.origin
  const lowerCase = headerOf(vendor)
  const given = req.headers[lowerCase] as string | undefined
  if (given === API_VERSION || given?.trim() === API_VERSION) return
  const header = versionHeader(vendor)
  if (given !== undefined) {
    if (call.assume(questions.wrong_version) === 'reject')
      fail(errors.wrong_version, { header, received: shorten(given, 40) })
    return
  }
  if (call.assume(questions.missing_version) !== 'reject') return
  const other = Object.keys(req.headers).find(name => /^[a-z][a-z0-9_]*-version$/.test(name))
  fail(errors.missing_version, { header, other, vendor: other?.slice(0, -'-version'.length) })
}

/** docs/api.md 4.2: restrictions of type api. */
function checkSource(call: Visit) {
  const { sandbox, sourceIp } = call
  const { passes, decidedBy, why, warnings } = checkRestrictions(sandbox.tables, 'api', sourceIp, call)
  for (const warning of warnings) call.warn(warning)
  if (!passes) fail(errors.source_blocked, { source_ip: sourceIp, restriction: decidedBy, why })
}

const headerOf = memoize(16, (vendor: string) => versionHeader(vendor).toLowerCase())

/** docs/api.md 10: edges can be assumed to be retired. Their operations are below this path. */
const EDGES = '/edges/'

function checkEdges(call: Visit) {
  const error = retiredEdges(call)
  if (error) fail(error, { method: call.entry.method, path: call.entry.path })
}

/** Documented operations record the assumption only if it was changed. */
function retiredEdges(call: Visit) {
  const { path, method } = call.entry
  if (!path.startsWith(EDGES)) return undefined
  if (call.assumed(questions.edges) === 'available' && !call.operation!.undocumented) return undefined
  const edges = call.assume(questions.edges)
  if (edges === 'gone') return errors.edges_gone
  return edges === 'read_only' && method !== 'GET' ? errors.edges_read_only : undefined
}
