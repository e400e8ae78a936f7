import { performance, setImmediate } from './real-time.ts'

/** How long work may hold the event loop before it lets others go first; and how long at least, when much work waits. */
export const SLICE_MS = 8
const SHORTEST_MS = 1

/** Long work that stops at every step: each should take far less than a slice. */
export type Steps<T> = Generator<void, T>

/** All of it at once: nothing can come between. */
export function runSync<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

interface Job {
  next: () => IteratorResult<void, unknown>
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** There is one event loop, and one queue for it: who waits longest is next. */
const waiting: Job[] = []
/** What is left of the slice of this turn of the event loop; undefined if nothing ran in it. */
let left: number | undefined

/** The same, but others are served in between: all work that is done so gets one slice a turn together. */
export function runYielding<T>(work: Steps<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    waiting.push({ next: () => work.next(), resolve, reject })
    // What is short is done at once, unless others wait already.
    if (waiting.length === 1) runSlice()
  })
}

function runSlice() {
  if (left === undefined) {
    left = Math.max(SHORTEST_MS, SLICE_MS / waiting.length)
    setImmediate(endTurn)
  }
  if (left <= 0) return
  const job = waiting.shift()!
  const began = performance.now()
  const late = () => performance.now() - began >= left!
  try {
    let step = job.next()
    while (!step.done && !late()) step = job.next()
    if (!step.done) waiting.push(job)
    // Who asked goes on with something that may be long, too: it gets a turn of its own.
    else if (late()) waiting.unshift({ ...job, next: () => step })
    else job.resolve(step.value as never)
  } catch (error) {
    job.reject(error)
  }
  left -= performance.now() - began
}

function endTurn() {
  left = undefined
  if (waiting.length > 0) runSlice()
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
