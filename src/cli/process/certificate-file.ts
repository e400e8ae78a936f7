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

/** Each names a file that replaces the system's certificates: for OpenSSL and Go, Python's requests, curl. */
const REPLACING = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/** Keeps the self-signed certificate in a file while we run. */
export function keepCertificate(certificate: string | undefined, tlsDir?: string) {
  if (certificate === undefined) return undefined
  let folder: string | undefined
  const write = (name: string, text: string) => {
    folder ??= mkdtempSync(join(tmpdir(), `edgesim-${process.pid}-`))
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  const file = tlsDir === undefined ? write('ca.pem', certificate) : resolve(tlsDir, 'ca.pem')
  return {
    file,
    /** Variables that make a command trust the certificate, in addition to what it trusted before. */
    variables() {
      const bundle = (name: string, others: string) => [name, write(`${name}.pem`, `${certificate}\n${others}`)]
      const roots = textOf(process.env.SSL_CERT_FILE, ...SYSTEM_ROOTS) ?? tls.rootCertificates.join('\n')
      return {
        EDGESIM_CERTIFICATE: file,
        ...Object.fromEntries([
          // Node trusts this file in addition to its own certificates.
          bundle('NODE_EXTRA_CA_CERTS', textOf(process.env.NODE_EXTRA_CA_CERTS) ?? ''),
          ...REPLACING.map(name => bundle(name, textOf(process.env[name]) ?? roots)),
        ]),
      }
    },
    remove() {
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
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
