import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { wallClock } from '../basics/real-time.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { FileError, fileError, whyUnwritable } from '../files/file-error.ts'
import { MAX_CERTIFICATE_MB, readTextOf } from '../files/read-file.ts'
import { createFile } from '../files/replace-file.ts'
import { normaliseAddress } from '../ip/cidr.ts'
import { type Certificate, makeCertificate } from './make-certificate.ts'

const DAY_MS = 86_400_000
/** Long, because people have to trust each new one by hand. */
const VALID_DAYS = 365

/**
 * The certificate of `--tls-dir`, which clients can go on trusting: made when there is none, when it has expired and
 * when it lacks a name. Key and certificate are in one file, so that they belong together; `ca.pem` is for clients.
 */
export async function keptCertificate(folder: string, names: string[]): Promise<Certificate> {
  const file = join(folder, 'key.pem')
  try {
    unlessThere(() => mkdirSync(folder, { mode: 0o700 }))
    let kept = readKept(file)
    if (!kept || !isUsable(kept, names)) {
      const made = makeCertificate(names, VALID_DAYS)
      if (kept) rmSync(file, { force: true })
      unlessThere(() => createFile(file, `${made.key}\n${made.cert}`))
      // Another process that started at the same time may have written its own.
      kept = readKept(file) ?? made
    }
    const ca = join(folder, 'ca.pem')
    const { cert } = kept
    if (readText(ca) !== cert) {
      rmSync(ca, { force: true })
      unlessThere(() => createFile(ca, cert))
    }
    return kept
  } catch (error) {
    if (error instanceof FileError) throw error
    const why = whyUnwritable(error, (error as NodeJS.ErrnoException).path ?? file)
    throw new SimulatorError('INVALID_OPTION', `--tls-dir ${folder}: ${why}. Name a folder that can be written to.`)
  }
}

/** Makes a folder or a file. Never replaces a file that another process has just written. */
function unlessThere(make: () => void) {
  try {
    make()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function readKept(file: string): Certificate | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  try {
    const cert = new X509Certificate(text)
    const key = createPrivateKey(text)
    if (!cert.checkPrivateKey(key)) throw new Error('the key is not that of the certificate')
    return { cert: cert.toString(), key: String(key.export({ type: 'pkcs8', format: 'pem' })), selfSigned: true }
  } catch (error) {
    throw fileError(file, `cannot be used: ${(error as Error).message}. Remove it, and a new one is made`)
  }
}

function readText(file: string): string | undefined {
  try {
    return readTextOf(file, MAX_CERTIFICATE_MB)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Valid for another day at least, and for all the names. */
function isUsable({ cert }: Certificate, names: string[]): boolean {
  const { validTo, subjectAltName = '' } = new X509Certificate(cert)
  const known = subjectAltName.split(', ').map(each => normaliseAddress(each.slice(each.indexOf(':') + 1)))
  return Date.parse(validTo) > wallClock() + DAY_MS && names.every(name => known.includes(name))
}
