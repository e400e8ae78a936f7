import { setImmediate as pause } from 'node:timers/promises'

/** How long work may hold the event loop before it lets others go first. */
export const SLICE_MS = 8

/** Long work that stops at every step: each should take far less than a slice. */
export type Steps<T> = Generator<void, T>

/** All of it at once: nothing can come between. */
export function atOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** The same, but others are served in between. */
export async function inSlices<T>(work: Steps<T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    // Who called goes on with something that may be long, too.
    if (performance.now() >= until) {
      await pause()
      until = performance.now() + SLICE_MS
    }
    if (step.done) return step.value
  }
}

/** Records that are looked at in one step: a step for each would cost as much as the look. */
export const MANY = 64

/** What becomes of each. */
export function* mapSteps<T, U>(list: Iterable<T>, map: (each: T, i: number) => U): Steps<U[]> {
  const mapped: U[] = []
  for (const each of list) {
    mapped.push(map(each, mapped.length))
    if (mapped.length % MANY === 0) yield
  }
  return mapped
}

/** Long enough to be worth a write, short enough to be made in no time. */
export const CHUNK_LENGTH = 256 * 1024

/** A long text as bytes. */
export function* chunkSteps(pieces: Iterable<string>): Steps<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length > CHUNK_LENGTH) {
      chunks.push(Buffer.from(text))
      text = ''
    }
    yield
  }
  return [...chunks, Buffer.from(text)]
}

const RUN = 2048

/** In order, as `toSorted` would have it: equals stay as they are. */
export function* sortSteps<T>(list: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < list.length; at += RUN) {
    runs.push(list.slice(at, at + RUN).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let i = 0; i < runs.length; i += 2) longer.push(yield* mergeSteps(runs[i]!, runs[i + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

function* mergeSteps<T>(one: T[], other: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (other.length === 0) return one
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < one.length && j < other.length) {
    merged.push(compare(one[i]!, other[j]!) <= 0 ? one[i++]! : other[j++]!)
    if (merged.length % RUN === 0) yield
  }
  while (i < one.length) merged.push(one[i++]!)
  while (j < other.length) merged.push(other[j++]!)
  return merged
}
