import { createHash, randomInt } from 'node:crypto'
import { customAlphabet, customRandom } from 'nanoid'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const random8 = customAlphabet(BASE62, 8)
const random27 = customAlphabet(BASE62, 27)
const random21 = customAlphabet(BASE62, 21)

/** The number of generated values by kind. Stored with the state, so no value repeats after a restart. */
export type Counters = Record<string, number>

/** A sandbox's ids and tokens: random, or derived from a seed, the sandbox name and a counter. */
export class Ids {
  constructor(
    readonly seed: string | undefined,
    readonly sandbox: string,
    readonly counters: Counters = {},
  ) {}

  /** A new, unused id with that prefix. */
  id(prefix: string, taken: (id: string) => boolean = () => false): string {
    for (;;) {
      const id = `${prefix}_${this.#generate(prefix, 27, random27)}`
      if (!taken(id)) return id
    }
  }

  /** The next number of that kind, from 1. */
  count(kind: string): number {
    this.counters[kind] = (this.counters[kind] ?? 0) + 1
    return this.counters[kind]
  }

  /** An id of that name, which never changes. */
  fixed(prefix: string, name: string): string {
    const key = `${this.seed ?? ''}\n${this.sandbox}\n${name}`
    return `${prefix}_${customRandom(BASE62, 27, byteStream(key))()}`
  }

  /** A new, unused token for a key. With a seed, a reset generates the same tokens again. */
  token(keyId: string, taken: (token: string) => boolean = () => false): string {
    for (;;) {
      const token = `${keyId.slice(keyId.indexOf('_') + 1)}_${this.#generate('secret', 21, random21)}`
      if (!taken(token)) return token
    }
  }

  /**
   * Skips values that were generated but not logged. The distance is random: with a fixed one, a process that is killed
   * twice before it logs anything would generate the same values again.
   */
  skip(kind: string) {
    this.counters[kind] = (this.counters[kind] ?? 0) + randomInt(1_000_000, 2 ** 40)
  }

  /** A string of letters and digits. */
  text(size: number): string {
    return this.#generate('text', size, customAlphabet(BASE62, size))
  }

  /** A number from 0 to below 1: random, or derived from the seed. */
  fraction(kind: string): number {
    return fractionOf(this.#generate(kind, 8, random8))
  }

  /** The next value of `fraction`; undefined if it is random. */
  nextFraction(kind: string): number | undefined {
    if (this.seed === undefined) return undefined
    return fractionOf(this.#generateSeeded(kind, 8, (this.counters[kind] ?? 0) + 1))
  }

  #generate(kind: string, size: number, unseeded: () => string): string {
    const count = (this.counters[kind] ?? 0) + 1
    this.counters[kind] = count
    return this.seed === undefined ? unseeded() : this.#generateSeeded(kind, size, count)
  }

  #generateSeeded(kind: string, size: number, count: number): string {
    return customRandom(BASE62, size, byteStream(`${this.seed}\n${this.sandbox}\n${kind}\n${count}`))()
  }
}

const fractionOf = (text: string) =>
  [...text].reduce((sum, letter) => (sum + BASE62.indexOf(letter)) / BASE62.length, 0)

/** Returns a function that generates repeatable bytes. */
function byteStream(key: string) {
  let block = 0
  return (length: number) => {
    const bytes = Buffer.alloc(Math.ceil(length / 32) * 32)
    for (let at = 0; at < length; at += 32) {
      createHash('sha256').update(`${key}\n${block++}`).digest().copy(bytes, at)
    }
    return bytes.subarray(0, length)
  }
}
