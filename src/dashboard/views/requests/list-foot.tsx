import { journalKeeps } from '../../../contract/journal-entry.ts'
import { ask } from '../../parts/ask-dialog.tsx'
import { act } from '../../state/actions.ts'
import { type Journal, journal as own } from '../../state/journal.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { DownloadHar } from './download-har.tsx'

async function clearJournal() {
  const sentences = [
    'Every request is removed from the journal of this sandbox.',
    'The state, the clock and the scenario stay.',
  ]
  if (await ask({ title: 'Empty the journal?', sentences, action: 'Empty it', danger: true }))
    await act(async () => {
      await sandboxControl('DELETE', '/requests')
      own.replace({ requests: [] })
    }, 'The journal is empty.')
}

interface Props {
  journal: Journal
  shown: readonly ListedEntry[]
  filtered: boolean
  all: boolean
}

/** How many are shown, and what is not there any more. */
function countOf({ journal, shown }: Props): string {
  const number = (count: number) => count.toLocaleString('en')
  const known = journal.entries.value.length
  const dropped = shown.filter(journal.isDropped).length
  const before = journal.droppedBefore.value
  const count = shown.length === known ? number(known) : `${number(shown.length)} of ${number(known)}`
  if (dropped > 0) return `${count} shown, ${number(dropped)} of them dropped by the server: ${journalKeeps()}`
  if (before > 0) return `${count} shown; ${number(before)} older dropped by the server: ${journalKeeps()}`
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
            Empty the journal…
          </button>
        )}
      </div>
    </div>
  )
}
