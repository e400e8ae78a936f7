import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Keeps the files of a project together, since a worker that changes the project loads all code again. Unless shuffled,
 * files that start processes come first: they take long, and at the end of a run only one worker is busy.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const { shuffle, seed } = this.ctx.config.sequence
    const sorted = await super.sort(files)
    const order = sorted.map((file, i) => (shuffle ? draw(seed + i) : file.moduleId.includes('.process.') ? 0 : 1))
    const place = new Map(sorted.map((file, i) => [file, order[i]!]))
    return sorted.sort((a, b) => compare(a.project.name, b.project.name) || place.get(a)! - place.get(b)!)
  }
}

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** A pseudo-random number for a seed. */
function draw(seed: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}
