import { createSecureContext } from 'node:tls'
import { readBytes } from './files/document.ts'
import { refuse } from './files/file-error.ts'
import { SimulatorError } from './simulator-error.ts'
import { wallClock } from './words/real-time.ts'

const DAYS = 30

export interface Certificate {
  key: string
  cert: string
  /** Made by us, so that nobody trusts it yet. */
  selfSigned: boolean
}

export interface CertificateOptions {
  tlsCert?: string
  tlsKey?: string
}

/** What to serve HTTPS with: the files that are given, or one that is made now. */
export async function certificateFor({ tlsCert, tlsKey }: CertificateOptions): Promise<Certificate> {
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate(tlsCert, tlsKey)
  if (tlsCert === undefined && tlsKey === undefined) return makeCertificate()
  const [given, missing] = tlsKey === undefined ? ['--tls-cert', '--tls-key'] : ['--tls-key', '--tls-cert']
  throw new SimulatorError(
    'INVALID_OPTION',
    `${given} needs ${missing} too. For a certificate made at start, use --tls.`,
  )
}

async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([certFile, keyFile].map(async file => String(await readBytes(file))))
  if (!cert!.includes('-----BEGIN CERTIFICATE-----')) throw refuse(certFile, 'is not a certificate in PEM')
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key!)) throw refuse(keyFile, 'is not a private key in PEM')
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw refuse(certFile, `cannot be used with the key in ${keyFile}: ${(error as Error).message}`)
  }
  return { cert: cert!, key: key!, selfSigned: false }
}

/**
 * A certificate for this machine's own names, new at every start, so that nobody has a reason to trust it permanently.
 */
async function makeCertificate(): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const now = wallClock()
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 60_000),
    notAfterDate: new Date(now + DAYS * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { key: pems.private, cert: pems.cert, selfSigned: true }
}
