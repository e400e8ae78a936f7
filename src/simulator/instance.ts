import { hash, randomUUID } from 'node:crypto'

/**
 * A word that tells simulators apart. With a seed, all bytes of an answer are the same at the next start, so this is too:
 * then only those on different ports can be told apart.
 */
export function instanceOf({ seed, port }: { seed?: string | number; port: number }): string {
  return (seed === undefined ? randomUUID() : hash('sha256', JSON.stringify([seed, port]))).slice(0, 8)
}
