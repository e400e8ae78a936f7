import { randomFillSync } from 'node:crypto'

const TEXTS_PER_REFILL = 64
/** Asking for random bytes costs about the same for many as for few. */
const RANDOM_BYTES = 32 * 1024

/** Random texts behind a prefix. Many are made at a time: one by one they cost several times as much. */
export function randomTexts(prefix: string, size: number, alphabet: string): () => string {
  const mask = 2 ** Math.ceil(Math.log2(alphabet.length)) - 1
  const codes = Buffer.from(alphabet, 'latin1')
  const random = Buffer.alloc(RANDOM_BYTES)
  const length = prefix.length + size
  const made = Buffer.from(`${prefix}${' '.repeat(size)}`.repeat(TEXTS_PER_REFILL), 'latin1')
  let used = random.length
  let texts = ''
  let at = 0

  const refill = () => {
    for (let start = prefix.length; start < made.length; start += length) {
      for (let i = start; i < start + size; ) {
        if (used === random.length) {
          randomFillSync(random)
          used = 0
        }
        // Numbers beyond the alphabet are skipped, so that all characters are equally likely.
        const index = random[used++]! & mask
        if (index < codes.length) made[i++] = codes[index]!
      }
    }
    return made.toString('latin1')
  }

  return () => {
    if (at === texts.length) {
      texts = refill()
      at = 0
    }
    at += length
    return texts.slice(at - length, at)
  }
}
