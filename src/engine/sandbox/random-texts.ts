import { randomFillSync } from 'node:crypto'

const TEXTS_PER_REFILL = 64
/** Requesting many random bytes costs about the same as a few. */
const RANDOM_BYTES = 32 * 1024

/** Random strings with a prefix. Generates many at a time, because single ones cost several times as much. */
export function randomTexts(prefix: string, size: number, alphabet: string): () => string {
  const mask = 2 ** Math.ceil(Math.log2(alphabet.length)) - 1
  const codes = Buffer.from(alphabet, 'latin1')
  const random = Buffer.alloc(RANDOM_BYTES)
  const length = prefix.length + size
  const generated = Buffer.from(`${prefix}${' '.repeat(size)}`.repeat(TEXTS_PER_REFILL), 'latin1')
  let used = random.length
  let texts = ''
  let at = 0

  const refill = () => {
    for (let start = prefix.length; start < generated.length; start += length) {
      for (let i = start; i < start + size; ) {
        if (used === random.length) {
          randomFillSync(random)
          used = 0
        }
        // Numbers outside the alphabet are skipped, so all characters are equally likely.
        const index = random[used++]! & mask
        if (index < codes.length) generated[i++] = codes[index]!
      }
    }
    return generated.toString('latin1')
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
