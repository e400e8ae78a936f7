import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of a project follow one another, shuffled or not: a worker serves one project, and one that has to change would
 * load all code anew.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const { shuffle, seed } = this.ctx.config.sequence
    const sorted = await super.sort(files)
    if (!shuffle) return sorted
    const drawn = new Map(sorted.map((file, i) => [file, draw(seed + i)]))
    return sorted.sort((a, b) => compare(a.project.name, b.project.name) || drawn.get(a)! - drawn.get(b)!)
  }
}

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

/** A number that looks like chance and is always the same for the seed. */
function draw(seed: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}
