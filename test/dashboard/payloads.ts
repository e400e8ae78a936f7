import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const VECTORS: string[] = parse(readFileSync(new URL('payloads.yaml', import.meta.url), 'utf8'))

const AROUND: ((vector: string) => string)[] = [
  vector => vector,
  vector => `"'>${vector}`,
  vector => `--></pre></textarea>${vector}`,
]

export const payloads = AROUND.flatMap(around => VECTORS.map(around)).slice(0, 100)
