import { hash, randomUUID } from 'node:crypto'

/** On every answer: which simulator gave it, where several stand behind one address. */
export const INSTANCE_HEADER = 'Edgesim-Instance'

/**
 * A word that tells simulators apart. With a seed, all bytes of an answer are the same at the next start, so this is too:
 * then only those on different ports can be told apart.
 */
export function instanceOf({ seed, port }: { seed?: string | number; port: number }): string {
  return (seed === undefined ? randomUUID() : hash('sha256', JSON.stringify([seed, port]))).slice(0, 8)
}
