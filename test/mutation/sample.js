import { createHash } from 'node:crypto'

const { MUTATION_SAMPLE: sample, MUTATION_SEED: seed } = process.env

/** What Stryker is told of a mutant that is not in the sample. */
export const NOT_TRIED = 'not in the sample'

export const inSample = id =>
  createHash('sha256').update(`${seed} ${id}`).digest().readUInt32BE() < Number(sample) * 2 ** 32
