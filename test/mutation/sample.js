import { createHash } from 'node:crypto'

/** Reason reported to Stryker for mutants outside the sample. */
export const NOT_TRIED = 'not in the sample'

export function inSample(id) {
  const { MUTATION_SAMPLE: sample, MUTATION_SEED: seed } = process.env
  return createHash('sha256').update(`${seed} ${id}`).digest().readUInt32BE() < Number(sample) * 2 ** 32
}
