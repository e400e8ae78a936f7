import { useSignal } from '@preact/signals'
import { SearchBox } from '../../parts/inputs.tsx'
import { Section } from '../../parts/section.tsx'
import { formatMs, Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { plural } from '../../state/kinds.ts'
import { groupBy, hasWords, sorted } from '../../state/lists.ts'
import { hrefTo } from '../../state/place.ts'
import { writer } from '../../state/signals.ts'
import { resources } from '../../state/simulator.ts'
import type { Report } from '../../types.ts'

type Line = Report['operations'][number]

/** The resource of an operation: the one with the longest matching path. */
function resourceOf(operation: string): string {
  const path = `${resources.value?.operations.find(({ id }) => id === operation)?.path}/`
  const kinds = resources.value?.kinds.filter(kind => kind.path && path.startsWith(`${kind.path}/`)) ?? []
  const [closest] = sorted(kinds, kind => kind.path!.length, true)
  return closest ? plural(closest) : 'Other'
}

const notCalled = (operation: string): Line => ({ operation, calls: 0, statuses: {}, p50_ms: null, p95_ms: null })

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Responses with an error, and requests without a response. */
const failuresOf = ({ statuses }: Line) =>
  sum(Object.entries(statuses).flatMap(([status, count]) => (status === 'none' || Number(status) >= 400 ? count : [])))

const Statuses = ({ statuses }: Pick<Line, 'statuses'>) => (
  <ul class="tags">
    {Object.entries(statuses).map(([status, count]) => (
      <li key={status}>
        <Status status={status === 'none' ? null : Number(status)} /> <span class="muted number">× {count}</span>
      </li>
    ))}
  </ul>
)

const Duration = ({ ms }: { ms: number | null }) => <span class="number">{formatMs(ms)}</span>

function Group({ name, lines, open }: { name: string; lines: Line[]; open: boolean }) {
  const called = lines.filter(({ calls }) => calls > 0)
  const failed = sum(lines.map(failuresOf))
  return (
    <details class="report-group" open={open}>
      <summary>
        <span class="report-group-name">{name}</span>
        <span class={`number ${called.length === 0 ? 'muted' : ''}`}>
          {called.length} of {lines.length} called
        </span>
        <span class="number muted">{called.length > 0 && `${sum(called.map(({ calls }) => calls))} calls`}</span>
        <span class="number bad-text">{failed > 0 && `${failed} failed`}</span>
      </summary>
      <Table
        label={name}
        heads={['Operation', 'Calls', 'Statuses', 'p50', 'p95']}
        rows={sorted(lines, ({ calls }) => calls, true).map(({ operation, calls, statuses, p50_ms, p95_ms }) => ({
          key: operation,
          cells: [
            // Operations that were not called lead to Try it.
            <a key="link" class="mono" href={hrefTo([calls > 0 ? 'requests' : 'console'], { operation })}>
              {operation}
            </a>,
            calls,
            <Statuses key="statuses" statuses={statuses} />,
            <Duration key="p50" ms={p50_ms} />,
            <Duration key="p95" ms={p95_ms} />,
          ],
        }))}
      />
    </details>
  )
}

/** All operations by resource, called ones first. A search opens the groups that it finds. */
export function Operations({ report }: { report: Report }) {
  const find = useSignal('')
  const lines = [...report.operations, ...report.not_called.map(notCalled)]
    .map(line => ({ ...line, resource: resourceOf(line.operation) }))
    .filter(({ operation, resource }) => hasWords(`${operation} ${resource}`, find.value.trim()))
  const groups = groupBy(lines, ({ resource }) => resource)
  return (
    <Section title="Operations by resource" class="span">
      <SearchBox label="Find an operation" text={find.value} onText={writer(find)} />
      <div>
        {Array.from(groups, ([name, lines]) => (
          <Group key={name} name={name} lines={lines} open={find.value !== ''} />
        ))}
      </div>
      {groups.size === 0 && <p class="muted">No operation matches "{find.value.trim()}".</p>}
    </Section>
  )
}
