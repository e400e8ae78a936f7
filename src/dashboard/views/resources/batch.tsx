import { effect, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { capital } from '../../../basics/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { notify } from '../../state/actions.ts'
import { place, sandbox } from '../../state/place.ts'
import { toRequestError } from '../../wire/request-error.ts'

const MAX_REASONS = 5

/** One at a time. It belongs to what the URL shows, so Back closes it. A running batch shows it again. */
const dialog = signal<VNode | undefined>(undefined)
export const OpenDialog = () => dialog.value

effect(() => {
  place.value
  dialog.value = undefined
})

/** Shows a dialog until it calls `close`. Resolves to the argument of that call. */
export const showDialog = <T = void>(render: (close: (result?: T) => void) => VNode) =>
  new Promise<T | undefined>(resolve => {
    dialog.value = render(result => {
      dialog.value = undefined
      resolve(result)
    })
  })

interface Batch {
  tasks: readonly { name: string; run(): Promise<unknown> }[]
  /** `3 IP policies` */
  what: string
  /** `Deleting` */
  doing: string
  /** `deleted` */
  done: string
  /** Shown if some tasks failed. */
  hint?: string
}

/**
 * Runs tasks in order, with a progress dialog. Switching the sandbox also stops them. Returns true if all succeeded.
 * Otherwise shows what failed, with the first few errors.
 */
export async function runBatch({ tasks, what, doing, done, hint }: Batch): Promise<boolean> {
  const total = tasks.length
  const title = `${doing} ${what}`
  const own = sandbox.value
  const reasons: string[] = []
  const stopping = new AbortController()
  let finished = 0
  while (finished < total && !stopping.signal.aborted && sandbox.value === own) {
    dialog.value = (
      <Dialog key="running" title={title} onClose={() => stopping.abort()} close="Stop">
        <progress max={total} value={finished} aria-label={title} />
        <p class="number">
          {finished} of {total}
        </p>
      </Dialog>
    )
    const { name, run } = tasks[finished++]!
    await run().catch(error => reasons.push(`${name}: ${toRequestError(error).message}`))
  }
  dialog.value = undefined
  if (finished === total && reasons.length === 0) {
    notify('done', `${capital(done)} ${what}.`)
    return true
  }
  await showDialog(close => (
    <Dialog key="failed" title={`${finished - reasons.length} of ${what} ${done}`} onClose={() => close()}>
      {reasons.length > 0 && <p>Failed: {reasons.length}.</p>}
      {finished < total && <p>Not started: {total - finished}.</p>}
      {hint && <p>{hint}</p>}
      <ul class="values reasons">
        {reasons.slice(0, MAX_REASONS).map(reason => (
          <li key={reason}>{reason}</li>
        ))}
        {reasons.length > MAX_REASONS && <li>And {reasons.length - MAX_REASONS} more.</li>}
      </ul>
    </Dialog>
  ))
  return false
}
