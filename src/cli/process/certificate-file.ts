import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import tls from 'node:tls'

/** Where Linux distributions, macOS and BSD keep the certificates that they trust. */
const SYSTEM_ROOTS = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Each names a file that a program trusts instead of the system's: OpenSSL and Go, Python's requests, curl. */
const REPLACING = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/**
 * The file that has the self-signed certificate while we run. The folder is named like others of ours: what a process
 * that was killed has left, a later one removes.
 */
export function keepCertificate(certificate: string | undefined, tlsDir?: string) {
  if (certificate === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), `edgesim-${process.pid}-`))
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  const file = tlsDir === undefined ? write('ca.pem', certificate) : resolve(tlsDir, 'ca.pem')
  return {
    file,
    /** For a command. Each of these names one file, so whom the command trusted before is added to it. */
    variables() {
      const bundle = (name: string, others: string) => [name, write(`${name}.pem`, `${certificate}\n${others}`)]
      const roots = textOf(process.env.SSL_CERT_FILE, ...SYSTEM_ROOTS) ?? tls.rootCertificates.join('\n')
      return {
        EDGESIM_CERTIFICATE: file,
        ...Object.fromEntries([
          // Node adds those of this one to its own.
          bundle('NODE_EXTRA_CA_CERTS', textOf(process.env.NODE_EXTRA_CA_CERTS) ?? ''),
          ...REPLACING.map(name => bundle(name, textOf(process.env[name]) ?? roots)),
        ]),
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The text of the first file that can be read. */
function textOf(...files: (string | undefined)[]): string | undefined {
  for (const file of files) {
    try {
      if (file) return readFileSync(file, 'utf8')
    } catch {}
  }
  return undefined
}
