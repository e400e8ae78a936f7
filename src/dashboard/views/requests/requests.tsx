import { ask } from '../../parts/ask-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/messages.tsx'
import { durationOf, Method, Status, shortTime } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { act } from '../../state/actions.ts'
import { entries, isOwn, replaceEntries } from '../../state/journal.ts'
import { hrefTo, place } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Entry } from '../../types.ts'
import { DownloadHar } from './download-har.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { FILTER_NAMES, matches } from './filter.ts'
import { Filters } from './filters.tsx'

const HEADINGS = ['Time', 'Status', 'Method', 'Path', 'Took', 'Caller', 'Notes']

function Cells({ entry, tabIndex }: { entry: Entry; tabIndex: number }) {
  const fired = entry.rules.filter(rule => rule.fired)
  const search = new URLSearchParams(entry.query).toString()
  return (
    <>
      <span role="cell" class="number muted c-time">
        {shortTime(entry.at)}
      </span>
      <span role="cell">
        <Status status={entry.status} />
      </span>
      <span role="cell">
        <Method method={entry.method} />
      </span>
      <span role="cell" class="clip mono c-path">
        <a href={hrefTo(['requests', entry.id], place.value.query)} data-row-link tabIndex={tabIndex}>
          {entry.path}
          {search && <span class="muted">?{search}</span>}
        </a>
      </span>
      <span role="cell" class="number muted c-took">
        {durationOf(entry)}
      </span>
      <span role="cell" class="clip muted c-caller">
        {entry.caller?.id ?? '–'}
      </span>
      <span role="cell" class="c-notes">
        {fired.length > 0 && (
          <span class="tag warn" title={fired.map(({ name, effect }) => `${name}: ${effect}`).join('\n')}>
            <Icon name="scenario" /> rule
          </span>
        )}
        {entry.change && <span class="tag">✎ change</span>}
        {entry.warnings.length > 0 && <span class="tag warn">! warning</span>}
        {isOwn(entry) && <span class="tag quiet">page</span>}
      </span>
    </>
  )
}

async function clearJournal() {
  const sentences = [
    'Every request is removed from the journal of this sandbox.',
    'The state, the clock and the scenario stay.',
  ]
  if (await ask({ title: 'Empty the journal?', sentences, action: 'Empty it', danger: true }))
    await act(async () => {
      await sandboxControl('DELETE', '/requests')
      replaceEntries([])
    }, 'The journal is empty.')
}

export function Requests() {
  const { parts, query } = place.value
  const chosen = parts[0]
  const shown = entries.value.filter(entry => matches(entry, query))
  return (
    <div class={`split ${chosen ? 'with-detail' : ''}`}>
      <div class="split-list">
        <Filters />
        <VirtualRows
          key={FILTER_NAMES.map(name => query[name]).join(' ')}
          label="Requests"
          class="request-rows"
          count={shown.length}
          rowHeight={34}
          keyOf={i => shown[i]!.id}
          selected={chosen}
          head={HEADINGS.map(heading => (
            <span key={heading} role="columnheader" class={`c-${heading.toLowerCase()}`}>
              {heading}
            </span>
          ))}
          row={(i, tabIndex) => <Cells entry={shown[i]!} tabIndex={tabIndex} />}
        />
        {shown.length === 0 && (
          <Empty icon="requests" title={entries.value.length === 0 ? 'No requests yet' : 'No request fits the filter'}>
            {entries.value.length === 0
              ? 'Every request of a client appears here, with its answer and the reason for it.'
              : `${entries.value.length} in the journal.`}
          </Empty>
        )}
        <div class="list-foot">
          <span class="number muted">
            {shown.length === entries.value.length ? shown.length : `${shown.length} of ${entries.value.length}`}{' '}
            requests
          </span>
          <div class="actions">
            <DownloadHar shown={shown} filtered={FILTER_NAMES.some(name => query[name])} />
            <button type="button" class="button quiet" onClick={clearJournal} disabled={entries.value.length === 0}>
              Empty the journal…
            </button>
          </div>
        </div>
      </div>
      {chosen && <EntryDetail key={chosen} id={chosen} />}
    </div>
  )
}
