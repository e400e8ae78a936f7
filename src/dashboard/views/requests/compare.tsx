import { useSignal } from '@preact/signals'
import { isObject } from '../../../basics/json.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Check } from '../../parts/inputs.tsx'
import { Loaded } from '../../parts/messages.tsx'
import { durationOf, timeOf } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { searchOf } from '../../snippets/sendable.ts'
import { reasonOf } from '../../state/failure.ts'
import { hasWords, sorted } from '../../state/lists.ts'
import { shownJournal } from '../../state/live.ts'
import { writer } from '../../state/signals.ts'
import { useGet } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'

const MAX_CHOICES = 100

const nameOf = (entry: ListedEntry) =>
  `${timeOf(entry.at)} ${entry.status ?? 'no response'} ${entry.method} ${entry.path}${searchOf(entry)}`

/** The values in an object, by their paths. */
function flatten(value: unknown, path: string): [path: string, text: string][] {
  const items = isObject(value) || Array.isArray(value) ? Object.entries(value) : []
  if (items.length === 0) return value === undefined ? [] : [[path, JSON.stringify(value)]]
  return items.flatMap(([name, each]) => flatten(each, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`))
}

function factsOf(entry: ListedEntry): Map<string, string> {
  const { status, method, path, query, operation, caller, source_ip, request, response, change } = entry
  const fired = entry.rules.filter(rule => rule.fired).map(({ name, effect }) => `${name}: ${effect}`)
  const assumed = Object.fromEntries(entry.assumptions.map(({ name, value }) => [name, value]))
  const simple = { status, reason: reasonOf(entry), took: durationOf(entry), method, path, operation, source_ip }
  const nested = { query, caller, rules: fired, assumptions: assumed, request, response, changes: change?.ops ?? [] }
  return new Map(Object.entries({ ...simple, ...nested }).flatMap(([name, value]) => flatten(value, name)))
}

/** All values of two requests side by side. */
function Comparison({ entries }: { entries: readonly [ListedEntry, ListedEntry] }) {
  const all = useSignal(false)
  const [first, second] = entries.map(factsOf) as [Map<string, string>, Map<string, string>]
  const paths = [...new Set([...first.keys(), ...second.keys()])]
  const differ = (path: string) => first.get(path) !== second.get(path)
  const shown = all.value ? paths : paths.filter(differ)
  return (
    <>
      <Check label={`Show all values (${paths.length})`} checked={all.value} onChange={writer(all)} />
      <Table
        label="Comparison"
        class="comparison"
        none="No differences."
        heads={['Value', ...entries.map(nameOf)]}
        rows={shown.map(path => ({
          key: path,
          class: all.value && differ(path) ? 'differs' : '',
          cells: [path, ...[first, second].map(facts => <code key="value">{facts.get(path) ?? '–'}</code>)],
        }))}
      />
    </>
  )
}

/** Compares a request with another one of the list. Requests of the same operation come first. */
export function CompareRequests({ entry, onClose }: { entry: ListedEntry; onClose(): void }) {
  const typed = useSignal<string | undefined>(undefined)
  const chosen = useSignal('')
  const others = shownJournal.value.entries.value.filter(({ id }) => id !== entry.id)
  const found = others.filter(each => hasWords(`${each.id} ${nameOf(each)}`, typed.value ?? ''))
  const options = sorted(found, ({ operation }) => Number(operation !== entry.operation)).slice(0, MAX_CHOICES)
  const other = others.find(({ id }) => id === chosen.value)
  const loaded = useGet<ListedEntry>(other && `/requests/${encodeURIComponent(other.id)}`, 0)
  return (
    <Dialog title={`Compare ${entry.method} ${entry.path}`} wide onClose={onClose}>
      <Combobox
        label="Other request"
        placeholder="Search by status, method, path or ID"
        value={other ? nameOf(other) : ''}
        typed={typed}
        options={options.map(each => ({ value: each.id, content: <span class="mono clip">{nameOf(each)}</span> }))}
        onChoose={writer(chosen)}
      />
      {other && <Loaded from={loaded}>{found => <Comparison entries={[entry, found]} />}</Loaded>}
    </Dialog>
  )
}
