import { generate } from 'selfsigned'

const DAYS = 30

/**
 * A certificate for this machine's own names, new at every start, so that nobody has a reason to trust it permanently.
 */
export async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const now = new Date()
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notBeforeDate: new Date(now.getTime() - 60_000),
    notAfterDate: new Date(now.getTime() + DAYS * 86_400_000),
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
  return { key: pems.private, cert: pems.cert }
}
