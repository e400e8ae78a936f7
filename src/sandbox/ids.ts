import { createHash, randomInt } from 'node:crypto'
import { customAlphabet, customRandom } from 'nanoid'
import { randomTexts } from './random-texts.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const random8 = customAlphabet(BASE62, 8)
const random27 = customAlphabet(BASE62, 27)
const random21 = customAlphabet(BASE62, 21)
const randomOperation = randomTexts('op_', 27, BASE62)

/** The number of draws by kind; stored with the state, so that nothing is drawn twice after a restart. */
export type Counters = Record<string, number>

/** A sandbox's ids and tokens: random, or drawn from a seed, the sandbox's name and a counter, and so repeatable. */
export class Ids {
  counters: Counters = {}

  constructor(
    readonly seed: string | undefined,
    readonly sandbox: string,
  ) {}

  /** A new id with that prefix, one that is not taken. */
  id(prefix: string, taken: (id: string) => boolean = () => false): string {
    for (;;) {
      const id = `${prefix}_${this.#draw(prefix, 27, random27)}`
      if (!taken(id)) return id
    }
  }

  /** The id of the sandbox's account, which is always the same. */
  account(): string {
    const key = `${this.seed ?? ''}\n${this.sandbox}\naccount`
    return `ac_${customRandom(BASE62, 27, byteStream(key))()}`
  }

  /** The id of a request. Every request needs one, so it is made fast. */
  operation(): string {
    if (this.seed !== undefined) return this.id('op')
    this.counters.op = (this.counters.op ?? 0) + 1
    return randomOperation()
  }

  /** A new token of a key, one that is not taken: with a seed, a reset draws the same tokens again. */
  token(keyId: string, taken: (token: string) => boolean = () => false): string {
    for (;;) {
      const token = `${keyId.slice(keyId.indexOf('_') + 1)}_${this.#draw('secret', 21, random21)}`
      if (!taken(token)) return token
    }
  }

  /**
   * Skips the draws that were made and not logged. By a random distance: with a fixed one, a process that is killed
   * twice before it logs anything would draw the same again.
   */
  skip(kind: string) {
    this.counters[kind] = (this.counters[kind] ?? 0) + randomInt(1_000_000, 2 ** 40)
  }

  /** So many letters and digits. */
  text(size: number): string {
    return this.#draw('text', size, customAlphabet(BASE62, size))
  }

  /** At least 0 and below 1: random, or drawn from the seed. */
  fraction(kind: string): number {
    return fractionOf(this.#draw(kind, 8, random8))
  }

  /** What `fraction` will give next; undefined if that is random. */
  nextFraction(kind: string): number | undefined {
    if (this.seed === undefined) return undefined
    return fractionOf(this.#drawSeeded(kind, 8, (this.counters[kind] ?? 0) + 1))
  }

  #draw(kind: string, size: number, unseeded: () => string): string {
    const count = (this.counters[kind] ?? 0) + 1
    this.counters[kind] = count
    return this.seed === undefined ? unseeded() : this.#drawSeeded(kind, size, count)
  }

  #drawSeeded(kind: string, size: number, count: number): string {
    return customRandom(BASE62, size, byteStream(`${this.seed}\n${this.sandbox}\n${kind}\n${count}`))()
  }
}

const fractionOf = (drawn: string) =>
  [...drawn].reduce((sum, letter) => (sum + BASE62.indexOf(letter)) / BASE62.length, 0)

/** Gives as many repeatable bytes as are asked for. */
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
