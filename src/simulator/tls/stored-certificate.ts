import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { normaliseAddress } from '../../basics/cidr.ts'
import { wallClock } from '../../basics/real-time.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { FileError, fileError, whyUnwritable } from '../../engine/files/file-error.ts'
import { MAX_CERTIFICATE_MB, readTextOf } from '../../engine/files/read-file.ts'
import { createFile } from '../../engine/files/replace-file.ts'
import { type Certificate, createCertificate } from './create-certificate.ts'

const DAY_MS = 86_400_000
/** Long, because users trust each new certificate manually. */
const VALID_DAYS = 365

/**
 * The certificate of `--tls-dir`, which clients can trust permanently. Generated if it does not exist, has expired or
 * lacks a name. Key and certificate are in one file, so they always match. `ca.pem` is for clients.
 */
export async function storedCertificate(folder: string, names: string[]): Promise<Certificate> {
  const file = join(folder, 'key.pem')
  try {
    ignoreExisting(() => mkdirSync(folder, { mode: 0o700 }))
    let stored = readStored(file)
    if (!stored || !isUsable(stored, names)) {
      const generated = createCertificate(names, VALID_DAYS)
      if (stored) rmSync(file, { force: true })
      ignoreExisting(() => createFile(file, `${generated.key}\n${generated.cert}`))
      // Another process that started at the same time may have written its own.
      stored = readStored(file) ?? generated
    }
    const ca = join(folder, 'ca.pem')
    const { cert } = stored
    if (readText(ca) !== cert) {
      rmSync(ca, { force: true })
      ignoreExisting(() => createFile(ca, cert))
    }
    return stored
  } catch (error) {
    if (error instanceof FileError) throw error
    const why = whyUnwritable(error, (error as NodeJS.ErrnoException).path ?? file)
    throw new SimulatorError('INVALID_OPTION', `--tls-dir ${folder}: ${why}. Choose a writable directory.`)
  }
}

/** Creates a directory or file. Never replaces a file that another process has just written. */
function ignoreExisting(create: () => void) {
  try {
    create()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function readStored(file: string): Certificate | undefined {
  const text = readText(file)
  if (text === undefined) return undefined
  try {
    const cert = new X509Certificate(text)
    const key = createPrivateKey(text)
    if (!cert.checkPrivateKey(key)) throw new Error('the key does not match the certificate')
    return { cert: cert.toString(), key: String(key.export({ type: 'pkcs8', format: 'pem' })), selfSigned: true }
  } catch (error) {
    throw fileError(file, `is unusable: ${(error as Error).message}. Remove it to generate a new one`)
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

/** Valid for at least another day, and for all names. */
function isUsable({ cert }: Certificate, names: string[]): boolean {
  const { validTo, subjectAltName = '' } = new X509Certificate(cert)
  const known = subjectAltName.split(', ').map(each => normaliseAddress(each.slice(each.indexOf(':') + 1)))
  return Date.parse(validTo) > wallClock() + DAY_MS && names.every(name => known.includes(name))
}
