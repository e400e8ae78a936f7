import { prefixOf } from '../ip/cidr.ts'
import type { Operation } from '../schema/index.ts'
import { samplePaths, segmentsPattern } from './path.ts'
import { operationsOf, toCidr, type When } from './when.ts'

/** An operation, or the id of an edge. */
export type Target = Operation | string

interface SamplePath {
  text: string
  segments: string[]
}

/** A subset of the calls or traffic of a target; a member that is not given stands for any value. */
interface Part {
  paths?: SamplePath[]
  owners?: string[]
  /** The binary prefixes of CIDR blocks. */
  sources?: string[]
}

const listOf = (given: string | string[] | undefined) => (given === undefined ? undefined : [given].flat())

/** What a rule matches, and whether it includes all that another rule matches. */
export class Scope {
  readonly targets: Set<Target>
  readonly #paths: string[] | undefined
  readonly #owners: Set<string> | undefined
  readonly #sources: Set<string> | undefined
  readonly #prefixLengths: Set<number>
  readonly #literals: Set<string>
  readonly #patterns: ReturnType<typeof segmentsPattern>[]
  /** By route; undefined if there would be too many. */
  readonly #samples = new Map<string, SamplePath[] | undefined>()
  #key: string | undefined

  constructor(when: When, neighboursAbsent: boolean) {
    const served = operationsOf(when).filter(({ neighbour }) => !(neighbour && neighboursAbsent))
    this.targets = new Set<Target>(listOf(when.edge) ?? served)
    this.#paths = listOf(when.path)
    const owners = listOf(when.owner)
    const sources = listOf(when.source_ip)?.map(source => prefixOf(toCidr(source))!)
    this.#owners = owners && new Set(owners)
    this.#sources = sources && new Set(sources)
    this.#prefixLengths = new Set(sources?.map(({ length }) => length))
    this.#literals = new Set(this.#paths)
    this.#patterns = (this.#paths ?? []).filter(written => /[*{]/.test(written)).map(segmentsPattern)
  }

  get hasPaths() {
    return this.#paths !== undefined
  }

  /** The same for scopes that match the same. */
  get key() {
    if (this.#key === undefined) {
      const targets = Array.from(this.targets, target => (typeof target === 'string' ? `edge ${target}` : target.id))
      const lists = [targets, this.#paths, this.#owners, this.#sources]
      this.#key = JSON.stringify(lists.map(list => list && [...list].sort()))
    }
    return this.#key
  }

  /** What it matches at a target; its paths only if they are needed. */
  at(target: Target, withPaths: boolean): Part {
    const paths = withPaths && typeof target !== 'string' ? this.#samplesOf(target.path) : undefined
    return { paths, owners: this.#owners && [...this.#owners], sources: this.#sources && [...this.#sources] }
  }

  /** Sample paths that represent all it matches on a route. */
  #samplesOf(route: string): SamplePath[] | undefined {
    if (!this.#samples.has(route)) {
      const samples = (this.#paths ?? ['/**']).map(written => samplePaths(written, route))
      const paths = samples.flatMap(each => each ?? []).map(segments => ({ text: segments.join('/'), segments }))
      this.#samples.set(route, samples.includes(undefined) ? undefined : paths)
    }
    return this.#samples.get(route)
  }

  covers({ paths, owners, sources }: Part): boolean {
    return (
      (!this.#owners || owners?.every(owner => this.#owners!.has(owner)) === true) &&
      (!this.#sources || sources?.every(prefix => this.#hasBlock(prefix)) === true) &&
      (!this.#paths || paths?.every(path => this.#hasPath(path)) === true)
    )
  }

  #hasPath({ text, segments }: SamplePath): boolean {
    return this.#literals.has(text) || this.#patterns.some(matches => matches(segments))
  }

  #hasBlock(prefix: string): boolean {
    for (const length of this.#prefixLengths) if (this.#sources!.has(prefix.slice(0, length))) return true
    return false
  }

  contains(other: Scope): boolean {
    if (this.key === other.key) return true
    for (const target of other.targets)
      if (!this.targets.has(target) || !this.covers(other.at(target, this.hasPaths))) return false
    return true
  }
}

const MAX_PARTS = 16

/** Splits by path, owner and source, because different rules may cover each; not if there would be too many parts. */
export function splitPart(part: Part): Part[] {
  const { paths, owners, sources } = part
  if ((paths?.length ?? 1) * (owners?.length ?? 1) * (sources?.length ?? 1) > MAX_PARTS) return [part]
  const each = <T>(values: T[] | undefined) => values?.map(value => [value]) ?? [undefined]
  return each(paths).flatMap(paths =>
    each(owners).flatMap(owners => each(sources).map(sources => ({ paths, owners, sources }))),
  )
}
