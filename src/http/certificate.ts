import { createPrivateKey, X509Certificate } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { nanoid } from 'nanoid'
import { wallClock } from '../basics/real-time.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { readBytes } from '../files/document.ts'
import { FileError, fileError, whyUnwritable } from '../files/file-error.ts'
import { normaliseAddress } from '../ip/cidr.ts'

const DAY_MS = 86_400_000
const DAYS = 30
/** Nobody should have to trust another one every month. */
const KEPT_DAYS = 365

export interface Certificate {
  key: string
  cert: string
  /** Made by us, so that nobody trusts it yet. */
  selfSigned: boolean
}

export interface CertificateOptions {
  tlsCert?: string
  tlsKey?: string
  /** The folder that the one which is made here is kept in. */
  tlsDir?: string
  /** By what clients may call us. */
  host?: string
  allowedHost?: string[]
  baseUrl?: string
}

/** What to serve HTTPS with: the files that are given, or one that is made now, or was made before and kept. */
export async function certificateFor(options: CertificateOptions): Promise<Certificate> {
  const { tlsCert, tlsKey, tlsDir } = options
  if (tlsCert === undefined && tlsKey === undefined) {
    const names = namesOf(options)
    return tlsDir === undefined ? makeCertificate(names, DAYS) : keptCertificate(tlsDir, names)
  }
  const [given, missing] = tlsKey === undefined ? ['--tls-cert', '--tls-key'] : ['--tls-key', '--tls-cert']
  if (tlsDir !== undefined)
    throw wrongUse(`--tls-dir keeps a certificate that is made here, and ${given} gives one: leave out one of them.`)
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate(tlsCert, tlsKey)
  throw wrongUse(`${given} needs ${missing} too. For a certificate made at start, use --tls.`)
}

const wrongUse = (message: string) => new SimulatorError('INVALID_OPTION', message)

/** This machine's own names, and those it was told. Those below a `.suffix` are left out: a wildcard covers one level only. */
function namesOf({ host = '', allowedHost = [], baseUrl }: CertificateOptions): string[] {
  const base = baseUrl === undefined ? '' : new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const names = [...LOCAL_NAMES, host, ...allowedHost, base].map(name => normaliseAddress(name.toLowerCase()))
  return [...new Set(names)].filter(name => /^[a-z\d:][\w.:-]*$/.test(name) && !['0.0.0.0', '::'].includes(name))
}

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1']

async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([certFile, keyFile].map(async file => String(await readBytes(file))))
  if (!cert!.includes('-----BEGIN CERTIFICATE-----')) throw fileError(certFile, 'is not a certificate in PEM')
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key!)) throw fileError(keyFile, 'is not a private key in PEM')
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw fileError(certFile, `cannot be used with the key in ${keyFile}: ${(error as Error).message}`)
  }
  return { cert: cert!, key: key!, selfSigned: false }
}

/**
 * One that clients may go on trusting: made where there is none, and again when it has expired or lacks a name. Key and
 * certificate are in one file, so that they always belong together; `ca.pem` is for clients.
 */
async function keptCertificate(folder: string, names: string[]): Promise<Certificate> {
  const file = join(folder, 'key.pem')
  try {
    makeFolder(folder)
    let kept = readKept(file)
    if (!kept || !isGood(kept, names)) {
      const made = await makeCertificate(names, KEPT_DAYS)
      if (kept) rmSync(file, { force: true })
      putWhole(file, `${made.key}\n${made.cert}`)
      // That of another process, if one has started at the same time.
      kept = readKept(file) ?? made
    }
    const ca = join(folder, 'ca.pem')
    if (readText(ca) !== kept.cert) {
      rmSync(ca, { force: true })
      putWhole(ca, kept.cert)
    }
    return kept
  } catch (error) {
    if (error instanceof FileError) throw error
    const { code, message, path = file } = error as NodeJS.ErrnoException
    const why = whyUnwritable(code, path) ?? message
    throw wrongUse(`--tls-dir ${folder}: ${why}. Name a folder that can be written to.`)
  }
}

function makeFolder(folder: string) {
  try {
    mkdirSync(folder, { mode: 0o700 })
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
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Good for a day at least, by all the names. */
function isGood({ cert }: Certificate, names: string[]): boolean {
  const { validTo, subjectAltName = '' } = new X509Certificate(cert)
  const known = subjectAltName.split(', ').map(each => normaliseAddress(each.slice(each.indexOf(':') + 1)))
  return Date.parse(validTo) > wallClock() + DAY_MS && names.every(name => known.includes(name))
}

/** For the owner alone, never half written, and never in place of another. */
function putWhole(file: string, text: string) {
  const temp = `${file}.${nanoid(10)}.tmp`
  writeFileSync(temp, text, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(temp, file)
  } catch (error) {
    // Some file systems have no links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(temp, file)
  } finally {
    rmSync(temp, { force: true })
  }
}

/** Unless it is kept it is new at every start, so that nobody has a reason to trust it permanently. */
async function makeCertificate(names: string[], days: number): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const now = wallClock()
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 60_000),
    notAfterDate: new Date(now + days * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: names.map(name => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
      },
    ],
  })
  return { key: pems.private, cert: pems.cert, selfSigned: true }
}
