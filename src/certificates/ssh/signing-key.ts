import { checkPrimeSync, createECDH, createHash, createPublicKey, hash, sign } from 'node:crypto'
import { memoize } from '../../basics/memoize.ts'
import type { Row } from '../../schema/index.ts'
import { toBytes } from '../der.ts'
import { ed25519Key } from '../issue.ts'
import { mpint, strings, toNumber } from './wire.ts'

/** What an authority signs with. */
export interface SigningKey {
  /** As SSH writes it on the wire. */
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

/** Limit the keys that are remembered. */
const MAX_REMEMBERED_KEYS = 100

/**
 * The key of an authority. It follows from the id, so that there is nothing to keep and nothing to guard, and so do its
 * signatures: the same requests get the same certificates. Who knows the id can sign: nobody should trust such a key.
 */
export const signingKeyOf = ({ id, private_key_type: type, elliptic_curve: curve, key_size: size }: Row): SigningKey =>
  keyOf(type as string, String(curve ?? size ?? ''), id)

/** A key for RSA takes a twentieth of a second. */
const keyOf = memoize(MAX_REMEMBERED_KEYS, (type: string, variant: string, id: string) => {
  const seed = `SSH ${type} ${variant} ${id}`
  if (type === 'rsa') return rsa(seed, Number(variant))
  return type === 'ecdsa' ? ecdsa(seed, variant as keyof typeof CURVES) : ed25519(seed)
})

/** So many bytes, always the same for the same values. */
export function drawBytes(size: number, ...from: (string | Buffer)[]): Buffer {
  const source = createHash('shake256', { outputLength: size })
  for (const each of from) source.update(each)
  return source.digest()
}

function ed25519(seed: string): SigningKey {
  const key = ed25519Key(drawBytes(32, seed))
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: strings('ssh-ed25519', Buffer.from(x!, 'base64url')),
    sign: data => strings('ssh-ed25519', sign(null, data, key)),
  }
}

/** ECDSA as node:crypto does it, but for the secret number of a signature, which there is random. */
function ecdsa(seed: string, curve: keyof typeof CURVES): SigningKey {
  const { name, inOpenssl, digest, order } = CURVES[curve]
  const type = `ecdsa-sha2-${name}`
  const size = toBytes(order).length
  // The further bytes make all numbers as good as equally likely.
  const drawNumber = (...from: (string | Buffer)[]) => (toNumber(drawBytes(size + 8, ...from)) % (order - 1n)) + 1n
  const pointOf = (factor: bigint) => {
    const pair = createECDH(inOpenssl)
    pair.setPrivateKey(toBytes(factor, size))
    return pair.getPublicKey()
  }
  const secret = drawNumber(seed)
  return {
    publicKey: strings(type, name, pointOf(secret)),
    sign(data) {
      const factor = drawNumber(seed, ' signs ', data)
      const r = toNumber(pointOf(factor).subarray(1, 1 + size)) % order
      const s = (inverse(factor, order) * (toNumber(hash(digest, data, 'buffer')) + r * secret)) % order
      return strings(type, Buffer.concat([mpint(r), mpint(s)]))
    },
  }
}

const PRIME_BITS = 256
/** Four of five numbers are a multiple of one of these, and need no slower check. */
const SMALL_PRIMES = [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n, 59n, 61n, 67n, 71n, 73n]
const EXPONENT = 65537n
/** What PKCS #1 writes before a SHA-512. */
const SHA512_MARK = '3051300d060960864801650304020305000440'

/**
 * RSA (RFC 8017) with more than two primes, which nobody sees in a public key: to find two of half the size takes many
 * times as long, and all sandboxes would wait for it.
 */
function rsa(seed: string, bits: number): SigningKey {
  const primes = Array.from({ length: bits / PRIME_BITS }, (_, i) => drawPrime(`${seed} ${i}`))
  const modulus = primes.reduce((product, prime) => product * prime)
  return {
    publicKey: Buffer.concat([strings('ssh-rsa'), mpint(EXPONENT), mpint(modulus)]),
    sign(data) {
      const digest = SHA512_MARK + hash('sha512', data)
      const padded = BigInt(`0x01${'ff'.repeat(bits / 8 - digest.length / 2 - 3)}00${digest}`)
      // The remainders by all primes, one after the other, make the whole (Garner).
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

function drawPrime(seed: string): bigint {
  const bytes = drawBytes(PRIME_BITS / 8, seed)
  // Five bits that are set keep the product of sixteen primes from being a bit too short.
  bytes[0]! |= 0xf8
  let prime = toNumber(bytes) | 1n
  while (!canBePrime(prime) || !checkPrimeSync(prime)) prime += 2n
  return prime
}

/** One more than a multiple of the exponent cannot be used either. */
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

/** The number whose product with the value leaves 1 (Euclid). The two must have no factor in common. */
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
