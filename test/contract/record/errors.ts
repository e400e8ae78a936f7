import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse, type ScalarTag } from 'yaml'
import type { Assumed } from '../../../src/ngrok/assumed.ts'
import { authorityPem, certificatePem, privateKeyPem } from '../../../src/ngrok/certificates/shapes.ts'
import { certifiedKey } from '../../../src/ngrok/certificates/ssh/public-key.ts'
import { samlModule } from '../../../src/ngrok/resources/edges/modules/saml.ts'
import type { CallOptions } from '../../support/http.ts'
import { exampleOf } from './world.ts'

/** One request to the state of world.ts, and its documented result. */
export interface Documented {
  what: string
  request: string
  body?: unknown
  /** Status, number and field of an error (`400 1406 cidr`), or the status of a success. */
  expected: string
  says?: string
  /** Assumptions other than the defaults. */
  assume?: Assumed
  /** Earlier requests that must succeed, and their bodies. */
  first?: [request: string, body?: unknown][]
  how?: CallOptions
}

type More = Pick<Documented, 'says' | 'assume' | 'how'> & { first?: Record<string, unknown> }
type Row = [expected: string | number, what: string, body?: object, more?: More]
type Table = Record<string, Record<string, (Row | { with: object })[]>>

const certificate = exampleOf(certificatePem)
const private_key = exampleOf(privateKeyPem)
const authority = exampleOf(authorityPem)
const EXAMPLES: Record<string, string | Buffer> = {
  ...{ certificate, private_key, authority },
  unreadable_certificate: certificate.replace(/^MI/m, 'ME'),
  unreadable_key: private_key.replace('MC4C', 'MC4D'),
  encrypted_key: private_key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'),
  other_key: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
  two_authorities: authority.repeat(2),
  ssh_key: exampleOf(certifiedKey),
  security_key: `sk-ssh-ed25519@openssh.com ${btoa('\0\0\0\x1ask-ssh-ed25519@openssh.com\0\0\0\x01k')}`,
  saml_metadata: exampleOf(samlModule.fields.idp_metadata!.shape),
  sendgrid_key:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHhhTL9R1TALzBB2cdc6zO4P/2BrHzk/ogsyxyYvFiW6kbDEcTi/0DdlqNlPm5FRF0y3+SG7O11x6kMahiIHAow==',
}

const times = <T>(count: number, each: (i: number) => T) => Array.from({ length: count }, (_, i) => each(i))

/** Described in errors.yaml. */
const customTags: ScalarTag[] = [
  { tag: '!long', resolve: text => text.replace(/\d{2,}/g, count => 'x'.repeat(Number(count))) },
  { tag: '!times', resolve: text => times(Number.parseInt(text, 10), i => text.split(' ')[1]!.replace('%', `${i}`)) },
  { tag: '!example', resolve: name => EXAMPLES[name] },
  { tag: '!none', resolve: () => undefined },
]

function readTable(): Documented[] {
  const text = readFileSync(new URL('errors.yaml', import.meta.url), 'utf8')
  const groups = Object.values(parse(text, { customTags, merge: true, maxAliasCount: -1 }) as Table).flatMap(
    Object.entries,
  )
  return groups.flatMap(([request, rows]: [string, Table[string][string]]) => {
    const base = rows.find(row => !Array.isArray(row))?.with
    return rows
      .filter(row => Array.isArray(row))
      .map(([expected, what, body, { first = {}, ...more } = {}]) => ({
        ...{ what, request, expected: String(expected), first: Object.entries(first), ...more },
        body: base ? { ...base, ...body } : body,
      }))
  })
}

const named = (count: number, prefix: string, value: unknown) =>
  Object.fromEntries(times(count, i => [prefix + i, value]))

export const documented: Documented[] = [
  ...readTable(),
  {
    ...{ expected: '400 6508 labels', what: '101 labels', request: 'POST /backends/tunnel_group' },
    body: { labels: named(101, 'l', 'v') },
  },
  {
    ...{ expected: '400 6511 backends', what: '101 weighted backends', request: 'POST /backends/weighted' },
    body: { backends: named(101, 'bkdsc_', 1) },
  },
  {
    ...{ expected: '429 226', what: 'the 121st request in 60 s', request: 'GET /api_keys' },
    assume: { rate_limit: 'documented' },
    first: times(120, () => ['GET /api_keys']),
  },
]
