import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes the self-signed certificate to a file for the command. Node trusts it through NODE_EXTRA_CA_CERTS. */
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

/** Node reads one file, so the certificates that were trusted before are added to it. */
function alreadyTrusted(): string {
  try {
    return readFileSync(process.env.NODE_EXTRA_CA_CERTS || '', 'utf8')
  } catch {
    return ''
  }
}
