import { parseTime, type Row } from '../../../engine/language/index.ts'
import { readPublicKey } from './public-key.ts'
import { deriveBytes, signingKeyOf } from './signing-key.ts'
import { options, string, strings, uint32, uint64 } from './wire.ts'

/** The owners of certificates, with their numbers in the format. */
const NUMBERS = { user: 1, host: 2 }
export type Subject = keyof typeof NUMBERS

export interface Certified extends Row {
  public_key: string
  principals: string[]
  valid_after: string
  valid_until: string
  critical_options?: Record<string, string>
  extensions?: Record<string, string>
}

/** An OpenSSH certificate (PROTOCOL.certkeys), with the id as the key name. Serial numbers are 0. */
export function issueSshCertificate(subject: Subject, row: Certified, authority: Row): string {
  const key = signingKeyOf(authority)
  const { type, parts } = readPublicKey(row.public_key)
  const name = `${type}-cert-v01@openssh.com`
  const contents = Buffer.concat([
    strings(name, deriveBytes(32, `SSH certificate ${row.id}`), ...parts),
    uint64(0),
    uint32(NUMBERS[subject]),
    strings(row.id, strings(...row.principals)),
    uint64(secondsOf(row.valid_after)),
    uint64(secondsOf(row.valid_until)),
    string(options(row.critical_options ?? {})),
    string(options(row.extensions ?? {})),
    string(''),
    string(key.publicKey),
  ])
  const signed = Buffer.concat([contents, string(key.sign(contents))])
  return `${name} ${signed.toString('base64')} ${row.id}`
}

/** Seconds since 1970, the earliest time in a certificate. */
const secondsOf = (text: string) => Math.max(0, parseTime(text)! / 1000)
