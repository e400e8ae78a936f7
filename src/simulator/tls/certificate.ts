import { createSecureContext } from 'node:tls'
import { normaliseAddress } from '../../basics/cidr.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { readBytes } from '../../engine/files/document.ts'
import { fileError } from '../../engine/files/file-error.ts'
import { MAX_CERTIFICATE_MB } from '../../engine/files/read-file.ts'
import { type Certificate, createCertificate } from './create-certificate.ts'
import { storedCertificate } from './stored-certificate.ts'

/** A certificate that is not stored is new in every run, so users do not trust it permanently. */
const VALID_DAYS = 30

export interface CertificateOptions {
  tlsCert?: string
  tlsKey?: string
  /** The directory that stores a generated certificate. */
  tlsDir?: string
  /** The names that clients can use for the simulator. */
  host?: string
  allowedHost?: string[]
  baseUrl?: string
}

/** The HTTPS certificate: from the files in the options, generated now, or generated earlier and stored. */
export async function certificateFor(options: CertificateOptions): Promise<Certificate> {
  const { tlsCert, tlsKey, tlsDir } = options
  if (tlsCert === undefined && tlsKey === undefined) {
    const names = namesOf(options)
    return tlsDir === undefined ? createCertificate(names, VALID_DAYS) : storedCertificate(tlsDir, names)
  }
  const [given, missing] = tlsKey === undefined ? ['--tls-cert', '--tls-key'] : ['--tls-key', '--tls-cert']
  if (tlsDir !== undefined)
    throw wrongUse(`--tls-dir stores a generated certificate and cannot be used with ${given}. Omit one of them.`)
  if (tlsCert !== undefined && tlsKey !== undefined) return readCertificate(tlsCert, tlsKey)
  throw wrongUse(`${given} requires ${missing}. For a generated certificate, use --tls.`)
}

const wrongUse = (message: string) => new SimulatorError('INVALID_OPTION', message)

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1']

/** The names of this machine and of the options, except for a `.suffix`: a wildcard covers only one level. */
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
    throw fileError(certFile, `does not match the key in ${keyFile}: ${(error as Error).message}`)
  }
  return { cert: cert!, key: key!, selfSigned: false }
}
