import { isIP } from 'node:net'
import { wallClock } from '../basics/real-time.ts'

const DAY_MS = 86_400_000

export interface Certificate {
  key: string
  cert: string
  /** Made by us: no client trusts it yet. */
  selfSigned: boolean
}

/** A self-signed certificate for these names and addresses. */
export async function makeCertificate(names: string[], days: number): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const now = wallClock()
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 60_000),
    notAfterDate: new Date(now + days * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: names.map(name => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
      },
    ],
  })
  return { key: pems.private, cert: pems.cert, selfSigned: true }
}
