import { computed, signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { CloseAction, Dialog } from '../../parts/dialog.tsx'
import { sandbox } from '../../state/place.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'

/** More would not be quicker, and would crowd out the calls of others. */
const IN_FLIGHT = 4
const MAX_REASONS = 5

interface Running {
  title: string
  total: number
  ended: number
  stop(): void
}

/** What came of many things, where not all went well. */
interface Report {
  title: string
  sentences: string[]
  reasons: string[]
}

const running = signal<Running | undefined>(undefined)
const isRunning = computed(() => running.value !== undefined)
const report = signal<Report | undefined>(undefined)

/** The version of the state, as it was before the batch while one runs: to load tables again and again would slow it. */
export function useDebounced(version: number): number {
  const settled = useRef(version)
  if (!isRunning.value) settled.current = version
  return settled.current
}

interface Outcome<T> {
  done: T[]
  refused: { item: T; error: RequestError }[]
  /** Not begun, because it was stopped. */
  left: T[]
}

/** Does the same with every item, a few at a time, and shows how far it is. It can be stopped; another sandbox stops it. */
export async function runBatch<T>(title: string, items: readonly T[], each: (item: T) => Promise<unknown>) {
  const outcome: Outcome<T> = { done: [], refused: [], left: [] }
  const own = sandbox.value
  let stopped = false
  const stop = () => {
    stopped = true
  }
  running.value = { title, total: items.length, ended: 0, stop }
  const queue = items.values()
  const work = async () => {
    for (const item of queue) {
      if (stopped || sandbox.value !== own) {
        outcome.left.push(item)
        continue
      }
      try {
        await each(item)
        outcome.done.push(item)
      } catch (error) {
        outcome.refused.push({ item, error: toRequestError(error) })
      }
      running.value = { title, total: items.length, ended: outcome.done.length + outcome.refused.length, stop }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  running.value = undefined
  return outcome
}

/** Tells what came of many things, with the first few reasons of refusals. */
export function tell(title: string, sentences: string[], refusals: { what: string; error: RequestError }[]) {
  const reasons = refusals.slice(0, MAX_REASONS).map(({ what, error }) => `${what}: ${error.message}`)
  if (refusals.length > MAX_REASONS) reasons.push(`And ${refusals.length - MAX_REASONS} more.`)
  report.value = { title, sentences, reasons }
}

/** How far the batch is, then what came of it. */
export function BatchDialog() {
  const { value: run } = running
  const { value: told } = report
  if (run)
    return (
      <Dialog key="running" title={run.title} onClose={run.stop}>
        <progress max={run.total} value={run.ended} aria-label={run.title} />
        <p class="number">
          {run.ended} of {run.total}
        </p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={run.stop}>
            Stop
          </button>
        </div>
      </Dialog>
    )
  if (!told) return null
  const close = () => {
    report.value = undefined
  }
  return (
    <Dialog key="told" title={told.title} onClose={close}>
      {told.sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      {told.reasons.length > 0 && (
        <ul class="values reasons">
          {told.reasons.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <CloseAction onClose={close} />
    </Dialog>
  )
}
