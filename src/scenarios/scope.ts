import { prefixOf } from '../ip/cidr.ts'
import type { Operation } from '../schema/index.ts'
import { samplePaths, segmentsPattern } from './path.ts'
import type { Rule } from './rule.ts'
import { deliveredTypes, toCidr } from './when.ts'

/** An operation, the id of an edge, or a type of event. */
export type Target = Operation | string

/** Stands for many calls, much traffic, or many deliveries. A member that is not given stands for any value. */
interface Sample {
  target: Target
  path?: string[]
  owner?: string
  /** The binary prefix of a CIDR block. */
  source?: string
}

const MAX_SAMPLES = 1_000

const listOf = (given: string | string[] | undefined) => (given === undefined ? undefined : [given].flat())

/** What a rule matches. */
export class Scope {
  readonly targets: Set<Target>
  readonly #paths: string[] | undefined
  readonly #patterns: ReturnType<typeof segmentsPattern>[] | undefined
  readonly #owners: Set<string> | undefined
  readonly #sources: string[] | undefined
  #samples: Sample[] | 'too many' | undefined

  constructor({ file: { when = {} }, operations }: Rule, neighboursAbsent: boolean) {
    const served = operations.filter(({ neighbour }) => !(neighbour && neighboursAbsent))
    const owners = listOf(when.owner)
    this.targets = new Set<Target>(listOf(when.edge) ?? deliveredTypes(when) ?? served)
    this.#paths = listOf(when.path)
    this.#patterns = this.#paths?.map(segmentsPattern)
    this.#owners = owners && new Set(owners)
    this.#sources = listOf(when.source_ip)?.map(source => prefixOf(toCidr(source))!)
  }

  /** The same for scopes that match the same. */
  get key(): string {
    const targets = Array.from(this.targets, target => (typeof target === 'string' ? `- ${target}` : target.id))
    const lists = [targets, this.#paths, this.#owners, this.#sources]
    return JSON.stringify(lists.map(list => list && [...list].sort()))
  }

  /** They stand for all it matches. */
  get samples(): Sample[] | 'too many' {
    this.#samples ??= this.#sample()
    return this.#samples
  }

  #sample(): Sample[] | 'too many' {
    const samples: Sample[] = []
    for (const target of this.targets) {
      const paths = typeof target === 'string' ? [undefined] : samplePaths(this.#paths, target.path)
      if (!paths) return 'too many'
      for (const path of paths)
        for (const owner of this.#owners ?? [undefined])
          for (const source of this.#sources ?? [undefined])
            if (samples.push({ target, path, owner, source }) > MAX_SAMPLES) return 'too many'
    }
    return samples
  }

  /** Whether the rule matches all that the sample stands for. */
  includes({ target, path, owner, source }: Sample): boolean {
    return (
      this.targets.has(target) &&
      (!this.#owners || this.#owners.has(owner!)) &&
      (!this.#sources || this.#sources.some(own => source?.startsWith(own))) &&
      (!this.#patterns || this.#patterns.some(matches => path && matches(path)))
    )
  }

  /** False if it is not known. */
  contains({ samples }: Scope): boolean {
    return samples !== 'too many' && samples.every(sample => this.includes(sample))
  }
}
