import { createSecureContext } from 'node:tls'
import { SimulatorError } from '../contract/simulator-error.ts'
import { readBytes } from '../files/document.ts'
import { fileError } from '../files/file-error.ts'
import { MAX_CERTIFICATE_MB } from '../files/read-file.ts'
import { normaliseAddress } from '../ip/cidr.ts'
import { keptCertificate } from './kept-certificate.ts'
import { type Certificate, makeCertificate } from './make-certificate.ts'

/** A certificate that is not kept is new at every start, so that nobody has a reason to trust it permanently. */
const VALID_DAYS = 30

export interface CertificateOptions {
  tlsCert?: string
  tlsKey?: string
  /** The folder in which a certificate that is made here is kept. */
  tlsDir?: string
  /** The names that clients may use for us. */
  host?: string
  allowedHost?: string[]
  baseUrl?: string
}

/** The certificate to serve HTTPS with: from the files that are given, made now, or made earlier and kept. */
export async function certificateFor(options: CertificateOptions): Promise<Certificate> {
  const { tlsCert, tlsKey, tlsDir } = options
  if (tlsCert === undefined && tlsKey === undefined) {
    const names = namesOf(options)
    return tlsDir === undefined ? makeCertificate(names, VALID_DAYS) : keptCertificate(tlsDir, names)
  }
  const [given, missing] = tlsKey === undefined ? ['--tls-cert', '--tls-key'] : ['--tls-key', '--tls-cert']
  if (tlsDir !== undefined)
    throw wrongUse(`--tls-dir keeps a certificate that is made here, and ${given} gives one: leave out one of them.`)
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate(tlsCert, tlsKey)
  throw wrongUse(`${given} needs ${missing} too. For a certificate made at start, use --tls.`)
}

const wrongUse = (message: string) => new SimulatorError('INVALID_OPTION', message)

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1']

/** This machine's own names and those of the options, but for a `.suffix`: a wildcard covers one level only. */
function namesOf({ host = '', allowedHost = [], baseUrl }: CertificateOptions): string[] {
  const base = baseUrl === undefined ? '' : new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const names = [...LOCAL_NAMES, host, ...allowedHost, base].map(name => normaliseAddress(name.toLowerCase()))
  return [...new Set(names)].filter(name => /^[a-z\d:][\w.:-]*$/.test(name) && !['0.0.0.0', '::'].includes(name))
}

async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all(
    [certFile, keyFile].map(async file => String(await readBytes(file, MAX_CERTIFICATE_MB))),
  )
  if (!cert!.includes('-----BEGIN CERTIFICATE-----')) throw fileError(certFile, 'is not a certificate in PEM')
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key!)) throw fileError(keyFile, 'is not a private key in PEM')
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw fileError(certFile, `cannot be used with the key in ${keyFile}: ${(error as Error).message}`)
  }
  return { cert: cert!, key: key!, selfSigned: false }
}
