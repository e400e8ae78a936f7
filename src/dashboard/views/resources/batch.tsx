import { computed, signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { sandbox } from '../../state/place.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'

/** Concurrent calls. More would not be faster and would slow down other clients. */
const CONCURRENCY = 4
const MAX_REASONS = 5

interface Running {
  title: string
  total: number
  finished: number
  stop(): void
}

/** A batch result with failures. */
interface Report {
  title: string
  sentences: string[]
  reasons: string[]
}

const running = signal<Running | undefined>(undefined)
const isRunning = computed(() => running.value !== undefined)
const report = signal<Report | undefined>(undefined)

/** The state version, unchanged while a batch runs, so tables don't reload on every change. */
export function useDebounced(version: number): number {
  const lastVersion = useRef(version)
  if (!isRunning.value) lastVersion.current = version
  return lastVersion.current
}

interface Outcome<T> {
  done: T[]
  rejected: { item: T; error: RequestError }[]
  /** Not started, because the batch was stopped. */
  skipped: T[]
}

/** Runs an action on every item, a few at a time, with a progress dialog. Switching the sandbox also stops it. */
export async function runBatch<T>(title: string, items: readonly T[], each: (item: T) => Promise<unknown>) {
  const outcome: Outcome<T> = { done: [], rejected: [], skipped: [] }
  const own = sandbox.value
  let stopped = false
  const stop = () => {
    stopped = true
  }
  running.value = { title, total: items.length, finished: 0, stop }
  const queue = items.values()
  const work = async () => {
    for (const item of queue) {
      if (stopped || sandbox.value !== own) {
        outcome.skipped.push(item)
        continue
      }
      try {
        await each(item)
        outcome.done.push(item)
      } catch (error) {
        outcome.rejected.push({ item, error: toRequestError(error) })
      }
      running.value = { title, total: items.length, finished: outcome.done.length + outcome.rejected.length, stop }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  running.value = undefined
  return outcome
}

/** Shows the result of a batch with the first few errors. */
export function showReport(title: string, sentences: string[], failures: { what: string; error: RequestError }[]) {
  const reasons = failures.slice(0, MAX_REASONS).map(({ what, error }) => `${what}: ${error.message}`)
  if (failures.length > MAX_REASONS) reasons.push(`And ${failures.length - MAX_REASONS} more.`)
  report.value = { title, sentences, reasons }
}

export function BatchDialog() {
  const { value: run } = running
  const { value: result } = report
  if (run)
    return (
      <Dialog key="running" title={run.title} onClose={run.stop} close="Stop">
        <progress max={run.total} value={run.finished} aria-label={run.title} />
        <p class="number">
          {run.finished} of {run.total}
        </p>
      </Dialog>
    )
  if (!result) return null
  const close = () => {
    report.value = undefined
  }
  return (
    <Dialog key="result" title={result.title} onClose={close}>
      {result.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      {result.reasons.length > 0 && (
        <ul class="values reasons">
          {result.reasons.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
