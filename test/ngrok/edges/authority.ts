import { generate } from 'selfsigned'

const DAY_MS = 24 * 60 * 60 * 1000

/** A certificate authority, and a client with a certificate that it signed. */
export async function authority(name: string, { expired = false } = {}) {
  const now = Date.now()
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 30 * DAY_MS),
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
    clientCertificate: {
      cn: `client of ${name}`,
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: new Date(now - 20 * DAY_MS),
      notAfterDate: new Date(now + (expired ? -DAY_MS : DAY_MS)),
    },
  })
  return { pem: made.cert, client: { key: made.clientprivate!, cert: made.clientcert! } }
}
