import { checkPrimeSync, createECDH, createHash, createPublicKey, hash, sign } from 'node:crypto'
import { toBytes } from '../../../basics/der.ts'
import { memoize } from '../../../basics/memoize.ts'
import type { Row } from '../../../engine/language/index.ts'
import { ed25519Key } from '../issue.ts'
import { mpint, strings, toNumber } from './wire.ts'

/** The key of an SSH certificate authority. */
export interface SigningKey {
  /** In SSH wire format. */
  publicKey: Buffer
  sign(data: Buffer): Buffer
}

export const KEY_TYPES = ['rsa', 'ecdsa', 'ed25519'] as const
export const KEY_SIZES = [2048, 4096]

export const CURVES = {
  p256: {
    name: 'nistp256',
    inOpenssl: 'prime256v1',
    digest: 'sha256',
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  p384: {
    name: 'nistp384',
    inOpenssl: 'secp384r1',
    digest: 'sha384',
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  p521: {
    name: 'nistp521',
    inOpenssl: 'secp521r1',
    digest: 'sha512',
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
} as const

/** Limit the number of cached keys. */
const MAX_REMEMBERED_KEYS = 100

/**
 * Derives the key of an authority from its id, so no key has to be stored or protected. Signatures are also
 * deterministic: equal requests get equal certificates. Anyone who knows the id can sign, so do not trust this key.
 */
export const signingKeyOf = ({ id, private_key_type: type, elliptic_curve: curve, key_size: size }: Row): SigningKey =>
  keyOf(String(type), String(curve ?? size ?? ''), id)

/** Creating an RSA key takes about 50 ms. */
const keyOf = memoize(MAX_REMEMBERED_KEYS, (type: string, variant: string, id: string) => {
  const seed = `SSH ${type} ${variant} ${id}`
  if (type === 'rsa') return rsa(seed, Number(variant))
  return type === 'ecdsa' ? ecdsa(seed, variant as keyof typeof CURVES) : ed25519(seed)
})

/** Derives this many bytes. Equal inputs give equal bytes. */
export function deriveBytes(size: number, ...from: (string | Buffer)[]): Buffer {
  const source = createHash('shake256', { outputLength: size })
  for (const each of from) source.update(each)
  return source.digest()
}

function ed25519(seed: string): SigningKey {
  const key = ed25519Key(deriveBytes(32, seed))
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: strings('ssh-ed25519', Buffer.from(x!, 'base64url')),
    sign: data => strings('ssh-ed25519', sign(null, data, key)),
  }
}

/** ECDSA as in node:crypto, but with a deterministic nonce for signatures. */
function ecdsa(seed: string, curve: keyof typeof CURVES): SigningKey {
  const { name, inOpenssl, digest, order } = CURVES[curve]
  const type = `ecdsa-sha2-${name}`
  const size = toBytes(order).length
  // The extra bytes make all numbers almost equally likely.
  const deriveNumber = (...from: (string | Buffer)[]) => (toNumber(deriveBytes(size + 8, ...from)) % (order - 1n)) + 1n
  const pointOf = (factor: bigint) => {
    const pair = createECDH(inOpenssl)
    pair.setPrivateKey(toBytes(factor, size))
    return pair.getPublicKey()
  }
  const secret = deriveNumber(seed)
  return {
    publicKey: strings(type, name, pointOf(secret)),
    sign(data) {
      const factor = deriveNumber(seed, ' signs ', data)
      const r = toNumber(pointOf(factor).subarray(1, 1 + size)) % order
      const s = (inverse(factor, order) * (toNumber(hash(digest, data, 'buffer')) + r * secret)) % order
      return strings(type, Buffer.concat([mpint(r), mpint(s)]))
    },
  }
}

const PRIME_BITS = 256
/** Four of five numbers are a multiple of one of these, so they skip the slower check. */
const SMALL_PRIMES = [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n, 59n, 61n, 67n, 71n, 73n]
const EXPONENT = 65537n
/** The PKCS #1 prefix of a SHA-512. */
const SHA512_MARK = '3051300d060960864801650304020305000440'

/**
 * RSA (RFC 8017) with more than two primes, which a public key does not reveal. Finding two primes of half the size
 * takes many times as long and would block all sandboxes.
 */
function rsa(seed: string, bits: number): SigningKey {
  const primes = Array.from({ length: bits / PRIME_BITS }, (_, i) => derivePrime(`${seed} ${i}`))
  const modulus = primes.reduce((product, prime) => product * prime)
  return {
    publicKey: Buffer.concat([strings('ssh-rsa'), mpint(EXPONENT), mpint(modulus)]),
    sign(data) {
      const digest = SHA512_MARK + hash('sha512', data)
      const padded = BigInt(`0x01${'ff'.repeat(bits / 8 - digest.length / 2 - 3)}00${digest}`)
      // Combine the remainders by all primes (Garner).
      let [signature, product] = [0n, 1n]
      for (const prime of primes) {
        const remainder = power(padded, inverse(EXPONENT, prime - 1n), prime)
        signature += product * modulo((remainder - signature) * inverse(product, prime), prime)
        product *= prime
      }
      return strings('rsa-sha2-512', toBytes(signature, bits / 8))
    },
  }
}

function derivePrime(seed: string): bigint {
  const bytes = deriveBytes(PRIME_BITS / 8, seed)
  // Five leading 1 bits ensure that the product of sixteen primes is not one bit too short.
  bytes[0]! |= 0xf8
  let prime = toNumber(bytes) | 1n
  while (!canBePrime(prime) || !checkPrimeSync(prime)) prime += 2n
  return prime
}

/** Also excludes numbers one above a multiple of the exponent. */
const canBePrime = (value: bigint) => value % EXPONENT !== 1n && SMALL_PRIMES.every(prime => value % prime !== 0n)

const modulo = (value: bigint, modulus: bigint) => ((value % modulus) + modulus) % modulus

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** The modular inverse (Euclid). The two numbers must be coprime. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [modulo(value, modulus), modulus]
  let [x, y] = [1n, 0n]
  while (b > 0n) {
    const times = a / b
    ;[a, b] = [b, a - times * b]
    ;[x, y] = [y, x - times * y]
  }
  return modulo(x, modulus)
}
