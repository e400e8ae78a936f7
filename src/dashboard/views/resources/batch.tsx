import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { sandbox } from '../../state/place.ts'
import { setter } from '../../state/signals.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'

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
const report = signal<Report | undefined>(undefined)

/** The state version, unchanged while a batch runs, so tables don't reload on every change. */
export function useDebounced(version: number): number {
  const lastVersion = useRef(version)
  if (!running.value) lastVersion.current = version
  return lastVersion.current
}

interface Outcome<T> {
  done: T[]
  rejected: { item: T; error: RequestError }[]
  /** Not started, because the batch was stopped. */
  skipped: T[]
}

/** Runs an action on every item, in order, with a progress dialog. Switching the sandbox also stops it. */
export async function runBatch<T>(title: string, items: readonly T[], each: (item: T) => Promise<unknown>) {
  const outcome: Outcome<T> = { done: [], rejected: [], skipped: [] }
  const own = sandbox.value
  let stopped = false
  const stop = () => {
    stopped = true
  }
  for (const [finished, item] of items.entries()) {
    running.value = { title, total: items.length, finished, stop }
    if (stopped || sandbox.value !== own) outcome.skipped.push(item)
    else
      await each(item).then(
        () => outcome.done.push(item),
        error => outcome.rejected.push({ item, error: toRequestError(error) }),
      )
  }
  running.value = undefined
  return outcome
}

/** Shows what failed, with the first few errors. Returns false if nothing did. */
export function reportFailures<T>(
  title: string,
  { rejected, skipped }: Outcome<T>,
  nameOf: (item: T) => string,
  hint?: string,
): boolean {
  if (rejected.length + skipped.length === 0) return false
  const reasons = rejected.slice(0, MAX_REASONS).map(({ item, error }) => `${nameOf(item)}: ${error.message}`)
  if (rejected.length > MAX_REASONS) reasons.push(`And ${rejected.length - MAX_REASONS} more.`)
  const sentences = [
    rejected.length > 0 && `Failed: ${rejected.length}.`,
    skipped.length > 0 && `Not started: ${skipped.length}.`,
    hint,
  ]
  report.value = { title, sentences: sentences.filter(each => typeof each === 'string'), reasons }
  return true
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
  return (
    <Dialog key="result" title={result.title} onClose={setter(report, undefined)}>
      {result.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      <ul class="values reasons">
        {result.reasons.map(reason => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Dialog>
  )
}
