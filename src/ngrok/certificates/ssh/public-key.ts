import { ECDH } from 'node:crypto'
import { type Mismatch, type Shape, textShape, type ValueError } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { CURVES, type KEY_TYPES } from './signing-key.ts'
import { readStrings, toNumber, WireError } from './wire.ts'

export interface PublicKey {
  /** The type in the line, like `ssh-rsa`. */
  type: string
  /** The type in responses. Only keys with one can have certificates. */
  keyType?: (typeof KEY_TYPES)[number]
  /** The parts after the type on the wire. */
  parts: Buffer[]
}

type Kind = Pick<PublicKey, 'keyType'> & { isValid(parts: Buffer[]): boolean }

const KINDS: Record<string, Kind> = {
  'ssh-ed25519': { keyType: 'ed25519', isValid: ([key, ...more]) => key?.length === 32 && more.length === 0 },
  ...Object.fromEntries(
    Object.values(CURVES).map(({ name, inOpenssl }): [string, Kind] => [
      `ecdsa-sha2-${name}`,
      {
        keyType: 'ecdsa',
        isValid: ([curve, point, ...more]) =>
          curve?.toString() === name && point?.[0] === 4 && isOnCurve(point, inOpenssl) && more.length === 0,
      },
    ]),
  ),
  'ssh-rsa': {
    keyType: 'rsa',
    isValid: ([exponent, modulus, ...more]) => {
      if (!exponent || !modulus || more.length > 0 || !isPositive(exponent) || !isPositive(modulus)) return false
      const bits = bitsOf(modulus)
      return (toNumber(exponent) & 1n) === 1n && bits >= 1024 && bits <= 16384
    },
  },
  // Agents may have these keys. The parts after the type are not checked.
  'sk-ssh-ed25519@openssh.com': { isValid: parts => parts.length > 0 },
  'sk-ecdsa-sha2-nistp256@openssh.com': { isValid: parts => parts.length > 0 },
  'ssh-dss': { isValid: parts => parts.length > 0 },
}

const bitsOf = (number: Buffer) => toNumber(number).toString(2).length
const isPositive = (bytes: Buffer) => bytes.length > 0 && bytes[0]! < 0x80

function isOnCurve(point: Buffer, curve: string): boolean {
  try {
    ECDH.convertKey(point, curve)
    return true
  } catch {
    return false
  }
}

/** Reads a line with type, base64 key and remark. Throws a WireError if it is not a public key. */
export function readPublicKey(text: string): PublicKey {
  const line = text.trim()
  const [type = '', base64 = ''] = line.split(/[ \t]+/)
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
  if (!kind) throw new WireError(`it must start with one of ${Object.keys(KINDS).join(', ')}`)
  if (/[\r\n]/.test(line)) throw new WireError('it has several lines')
  const bytes = Buffer.from(base64, 'base64')
  if (base64 === '' || bytes.toString('base64') !== base64) throw new WireError(`no base64 after ${type}`)
  const [name, ...parts] = readStrings(bytes)
  if (name?.toString() !== type) throw new WireError(`the key has a type other than ${type}`)
  if (!kind.isValid(parts)) throw new WireError(`invalid ${type} key`)
  return { type, keyType: kind.keyType, parts }
}

const EXAMPLE = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJYMZ5bAxfn77ZSpX9SDaT8dfvUUTKTTsYEmOA0v1b2M example.com'

const publicKey = (error: ValueError, check?: (key: PublicKey) => Mismatch | undefined): Shape<string> =>
  textShape({ examples: [EXAMPLE] }, text => {
    try {
      const key = readPublicKey(text)
      return check?.(key)
    } catch (problem) {
      if (!(problem instanceof WireError)) throw problem
      const expected = 'an OpenSSH public key, like the content of a .pub file of ssh-keygen'
      return { error, expected, received: `an unreadable string (${problem.message})` }
    }
  })

/** A key for agents. */
export const agentKey = publicKey(errors.ssh_key_unreadable)

const CERTIFIED = 'an RSA, ECDSA or Ed25519 key'

/** A key that a certificate can be issued for. */
export const certifiedKey = publicKey(errors.ssh_certified_key_unreadable, ({ type, keyType }) =>
  keyType
    ? undefined
    : { error: errors.ssh_certified_key_type, expected: CERTIFIED, received: `a key of type ${type}` },
)

/** The key in a response; undefined if the value is not a key. */
export function publicKeyIn(shown: unknown): PublicKey | undefined {
  try {
    return readPublicKey(String(shown))
  } catch {
    return undefined
  }
}

/** The size in bits of an RSA key in a response. */
export function rsaBitsOf(shown: unknown): number | undefined {
  const { type, parts = [] } = publicKeyIn(shown) ?? {}
  return type === 'ssh-rsa' ? bitsOf(parts[1]!) : undefined
}
