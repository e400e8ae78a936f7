import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { wallClock } from '../basics/real-time.ts'
import {
  alternativeNames,
  type Contents,
  commonName,
  hasKey,
  isAuthority,
  keyUsage,
  notAnAuthority,
  onlyFor,
  publicKeyOf,
  signedWithKey,
  usedBy,
  writeCertificate,
} from '../certificates/x509.ts'
import { bytesOf } from '../ip/cidr.ts'

const DAY_MS = 86_400_000

export interface Certificate {
  key: string
  cert: string
  /** Made by us: no client trusts it yet. */
  selfSigned: boolean
}

/** A self-signed certificate for these names and addresses. */
export function makeCertificate(names: string[], days: number): Certificate {
  const { privateKey, key } = newKey()
  const issuer = commonName('localhost')
  const extensions = [
    isAuthority(),
    keyUsage('signature', 'certificates'),
    usedBy('server'),
    alternativeNames(names.map(name => (isIP(name) ? bytesOf(name) : name))),
    hasKey(key),
  ]
  const cert = writeCertificate({ ...basics(days), issuer, subject: issuer, key, extensions }, privateKey)
  return { key: pemOf(privateKey), cert, selfSigned: true }
}

/** An authority that can sign for these host names and names below them only. Its key is in memory only. */
export function makeAuthority(hosts: string[], days: number) {
  const { privateKey, key } = newKey()
  const issuer = commonName(`edgesim ${randomBytes(4).toString('hex')}, in place of ${hosts[0]}`.slice(0, MAX_NAME))
  const extensions = [isAuthority(), keyUsage('certificates'), onlyFor(hosts), hasKey(key)]
  const cert = writeCertificate({ ...basics(days), issuer, subject: issuer, key, extensions }, privateKey)
  return {
    cert,
    /** The certificate of a server, and its key. */
    issue(host: string): Certificate {
      const own = newKey()
      const subject = commonName(host.slice(0, MAX_NAME))
      const extensions = [
        notAnAuthority(),
        keyUsage('signature'),
        usedBy('server'),
        alternativeNames([host]),
        signedWithKey(key),
        hasKey(own.key),
      ]
      const leaf = writeCertificate({ ...basics(days), issuer, subject, key: own.key, extensions }, privateKey)
      return { key: pemOf(own.privateKey), cert: leaf, selfSigned: true }
    },
  }
}

/** The longest common name. */
const MAX_NAME = 64

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, key: publicKeyOf(privateKey) }
}

const pemOf = (key: ReturnType<typeof newKey>['privateKey']) => String(key.export({ type: 'pkcs8', format: 'pem' }))

/** Valid from a day ago: the clock of a test or a container may be late. */
function basics(days: number): Pick<Contents, 'serial' | 'from' | 'to'> {
  const now = wallClock()
  return { serial: BigInt(`0x01${randomBytes(15).toString('hex')}`), from: now - DAY_MS, to: now + days * DAY_MS }
}
