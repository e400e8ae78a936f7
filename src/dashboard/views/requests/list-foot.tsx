import { confirmAction } from '../../parts/dialog.tsx'
import { act } from '../../state/actions.ts'
import { type Journal, logLimit, journal as own } from '../../state/journal.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { DownloadHar } from './download-har.tsx'

async function clearJournal() {
  const sentences = [
    "This removes all requests of this sandbox from the log. You can't undo this, but you can download a HAR file first.",
    'State, clock and scenario are unchanged.',
  ]
  if (await confirmAction({ title: 'Clear the request log?', sentences, action: 'Clear', danger: true }))
    await act(async () => {
      await sandboxControl('DELETE', '/requests')
      own.replace({ requests: [] })
    }, 'Request log cleared.')
}

interface Props {
  journal: Journal
  shown: readonly ListedEntry[]
  filtered: boolean
  all: boolean
}

/** Counts of shown and dropped requests. */
function countOf({ journal, shown }: Props): string {
  const number = (count: number) => count.toLocaleString('en')
  const known = journal.entries.value.length
  const dropped = shown.filter(journal.isDropped).length
  const before = journal.droppedBefore.value
  const count = shown.length === known ? number(known) : `${number(shown.length)} of ${number(known)}`
  if (dropped > 0) return `${count} shown, ${number(dropped)} dropped by the server: ${logLimit()}`
  if (before > 0) return `${count} shown, ${number(before)} older dropped by the server: ${logLimit()}`
  return `${count} requests`
}

export function ListFoot(props: Props) {
  const { journal, shown, filtered, all } = props
  return (
    <div class="list-foot">
      <span class="number muted">{countOf(props)}</span>
      <div class="actions">
        <DownloadHar shown={shown} filtered={filtered} all={all} />
        {!all && (
          <button
            type="button"
            class="button quiet"
            onClick={clearJournal}
            disabled={journal.entries.value.length === 0}
          >
            Clear log…
          </button>
        )}
      </div>
    </div>
  )
}
