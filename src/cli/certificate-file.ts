import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Writes the self-signed certificate to a file while we run. The folder is named like others of ours: what a process
 * that was killed has left, a later one removes.
 */
export function keepCertificate(certificate: string | undefined) {
  if (certificate === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), `edgesim-${process.pid}-`))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, certificate, { mode: 0o600 })
  return {
    file,
    /** For a command: Node trusts what NODE_EXTRA_CA_CERTS names, one file, so what was trusted before is added to it. */
    variables() {
      const trusted = join(folder, 'trusted.pem')
      writeFileSync(trusted, `${certificate}\n${alreadyTrusted()}`, { mode: 0o600 })
      return { EDGESIM_CERTIFICATE: file, NODE_EXTRA_CA_CERTS: trusted }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function alreadyTrusted(): string {
  try {
    return readFileSync(process.env.NODE_EXTRA_CA_CERTS || '', 'utf8')
  } catch {
    return ''
  }
}
