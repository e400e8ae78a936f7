import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of a project follow one another, shuffled or not: a worker serves one project, and one that has to change would
 * load all code anew. Unless shuffled, those that start processes come first: they take long, and the last files of a
 * run should not, since only one worker is busy with the very last.
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

/** A number that looks like chance and is always the same for the seed. */
function draw(seed: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}
