import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate that nobody else vouches for, where a command can find it; Node trusts it without being asked. */
export function keepCertificate(certificate: string | undefined) {
  if (certificate === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'edgesim-certificate-'))
  const file = join(folder, 'certificate.pem')
  writeFileSync(file, certificate, { mode: 0o600 })
  return {
    variables: { EDGESIM_CERTIFICATE: file, NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS || file },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
