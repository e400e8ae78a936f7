import { performance, setImmediate } from './real-time.ts'

/** How long work may block the event loop per turn. Shorter with many waiting jobs, down to the minimum. */
export const SLICE_MS = 8
const MIN_SLICE_MS = 1

/** Long work for `runSync` or `runYielding`. It yields after each step, which takes far less than a slice. */
export type Steps<T> = Generator<void, T>

/** Runs all steps without yielding to the event loop. */
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

/** Shared by all callers, because they share the event loop. First in, first out. */
const queue: Job[] = []
/** Milliseconds left in this turn's slice; undefined if no job ran in this turn. */
let left: number | undefined

/** Runs the work in slices, so requests are served in between. All jobs share one slice per turn of the event loop. */
export function runYielding<T>(work: Steps<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    queue.push({ next: () => work.next(), resolve, reject })
    // Run immediately if the queue was empty: a short job then needs no second turn.
    if (queue.length === 1) runSlice()
  })
}

function runSlice() {
  if (left === undefined) {
    left = Math.max(MIN_SLICE_MS, SLICE_MS / queue.length)
    setImmediate(endTurn)
  }
  if (left <= 0) return
  const job = queue.shift()!
  const began = performance.now()
  const late = () => performance.now() - began >= left!
  try {
    let step = job.next()
    while (!step.done && !late()) step = job.next()
    if (!step.done) queue.push(job)
    // The slice is used up: resolve in the next turn, because the caller's next work may also be long.
    else if (late()) queue.unshift({ ...job, next: () => step })
    else job.resolve(step.value as never)
  } catch (error) {
    job.reject(error)
  }
  left -= performance.now() - began
}

function endTurn() {
  left = undefined
  if (queue.length > 0) runSlice()
}

/** Items per step: one step per item would cost as much as the work itself. */
export const ITEMS_PER_STEP = 64

/** Like `Array.from(list, map)`. */
export function* mapInSteps<T, U>(list: Iterable<T>, map: (each: T, i: number) => U): Steps<U[]> {
  const mapped: U[] = []
  for (const each of list) {
    mapped.push(map(each, mapped.length))
    if (mapped.length % ITEMS_PER_STEP === 0) yield
  }
  return mapped
}

/** Items sorted per step, in far less than a slice. */
const SORTED_PER_STEP = 1024

/** Like `list.toSorted(compare)`. */
export function* sortInSteps<T>(list: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < list.length; from += SORTED_PER_STEP) {
    runs.push(list.slice(from, from + SORTED_PER_STEP).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* mergeInSteps(runs[i]!, runs[i + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

/** Stable: among equal items, `first` comes first. */
function* mergeInSteps<T>(first: T[], second: T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < first.length || j < second.length) {
    const isFirst = j === second.length || (i < first.length && compare(first[i]!, second[j]!) <= 0)
    merged.push(isFirst ? first[i++]! : second[j++]!)
    if (merged.length % SORTED_PER_STEP === 0) yield
  }
  return merged
}

/** In characters: long enough for one write, short enough to encode in far less than a slice. */
const CHUNK_LENGTH = 256 * 1024

/** The UTF-8 bytes of the next pieces; empty at the end. */
export function* chunkOf(pieces: Iterator<string>): Steps<Buffer> {
  let text = ''
  while (text.length <= CHUNK_LENGTH) {
    const piece = pieces.next()
    if (piece.done) break
    text += piece.value
    yield
  }
  return Buffer.from(text)
}

/** The UTF-8 bytes of all pieces. */
export function* encodeInSteps(pieces: Iterator<string>): Steps<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for (;;) {
    const chunk = yield* chunkOf(pieces)
    if (chunk.length === 0) return chunks
    chunks.push(chunk)
  }
}
