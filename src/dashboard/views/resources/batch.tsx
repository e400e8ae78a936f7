import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { capital } from '../../../basics/text.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { notify } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { setter } from '../../state/signals.ts'
import { toRequestError } from '../../wire/request-error.ts'

const MAX_REASONS = 5

/** The progress of the running batch, or why a batch failed. */
const dialog = signal<VNode | undefined>(undefined)
export const BatchDialog = () => dialog.value

interface Batch<T> {
  items: readonly T[]
  each(item: T): Promise<unknown>
  nameOf(item: T): string
  /** `3 IP policies` */
  what: string
  /** `Deleting` */
  doing: string
  /** `deleted` */
  done: string
  /** Shown if some items failed. */
  hint?: string
}

/**
 * Runs an action on every item, in order, with a progress dialog. Switching the sandbox also stops it. Returns true if all
 * items succeeded. Otherwise shows what failed, with the first few errors.
 */
export async function runBatch<T>({ items, each, nameOf, what, doing, done, hint }: Batch<T>): Promise<boolean> {
  const total = items.length
  const title = `${doing} ${what}`
  const own = sandbox.value
  const reasons: string[] = []
  let finished = 0
  let stopped = false
  const stop = () => {
    stopped = true
  }
  while (finished < total && !stopped && sandbox.value === own) {
    dialog.value = (
      <Dialog key="running" title={title} onClose={stop} close="Stop">
        <progress max={total} value={finished} aria-label={title} />
        <p class="number">
          {finished} of {total}
        </p>
      </Dialog>
    )
    const item = items[finished++]!
    await each(item).catch(error => reasons.push(`${nameOf(item)}: ${toRequestError(error).message}`))
  }
  dialog.value = undefined
  if (finished === total && reasons.length === 0) {
    notify('done', `${capital(done)} ${what}.`)
    return true
  }
  dialog.value = (
    <Dialog key="failed" title={`${finished - reasons.length} of ${what} ${done}`} onClose={setter(dialog, undefined)}>
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
  )
  return false
}
