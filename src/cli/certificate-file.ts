import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate that nobody else vouches for, where a command can find it; Node trusts it without being asked. */
export function keepCertificate(certificate: string | undefined) {
  if (certificate === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'edgesim-certificate-'))
  const [own, trusted] = [join(folder, 'certificate.pem'), join(folder, 'trusted.pem')]
  writeFileSync(own, certificate, { mode: 0o600 })
  writeFileSync(trusted, `${certificate}\n${alreadyTrusted()}`, { mode: 0o600 })
  return {
    variables: { EDGESIM_CERTIFICATE: own, NODE_EXTRA_CA_CERTS: trusted },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Node takes one file: what was in force before stays so. */
function alreadyTrusted(): string {
  try {
    return readFileSync(process.env.NODE_EXTRA_CA_CERTS || '', 'utf8')
  } catch {
    return ''
  }
}
