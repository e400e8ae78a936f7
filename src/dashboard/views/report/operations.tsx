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

/** Operations that were called lead to their requests, others to Try it. */
const hrefOf = ({ operation, calls }: Line) => hrefTo([calls > 0 ? 'requests' : 'console'], { operation })

const OperationTable = ({ label, lines }: { label: string; lines: Line[] }) => (
  <Table
    label={label}
    none=""
    heads={['Operation', 'Calls', 'Statuses', 'p50', 'p95']}
    rows={sorted(lines, ({ calls }) => calls, true).map(line => ({
      key: line.operation,
      cells: [
        <a key="link" class="mono" href={hrefOf(line)}>
          {line.operation}
        </a>,
        line.calls,
        <Statuses key="statuses" statuses={line.statuses} />,
        <span key="p50" class="number">
          {formatMs(line.p50_ms)}
        </span>,
        <span key="p95" class="number">
          {formatMs(line.p95_ms)}
        </span>,
      ],
    }))}
  />
)

function Group({ name, lines, open }: { name: string; lines: Line[]; open: boolean }) {
  const called = lines.filter(({ calls }) => calls > 0).length
  const failed = sum(lines.map(failuresOf))
  return (
    <details class="report-group" open={open}>
      <summary>
        <span class="report-group-name">{name}</span>
        <span class={`number ${called === 0 ? 'muted' : ''}`}>
          {called} of {lines.length} called
        </span>
        <span class="number muted">{called > 0 && `${sum(lines.map(({ calls }) => calls))} calls`}</span>
        <span class="number bad-text">{failed > 0 && `${failed} failed`}</span>
      </summary>
      <OperationTable label={name} lines={lines} />
    </details>
  )
}

/** All operations by resource, called ones first. A search opens the groups that it finds. */
export function Operations({ report }: { report: Report }) {
  const find = useSignal('')
  const all = [...report.operations, ...report.not_called.map(notCalled)]
  const named = all.map(line => ({ line, name: resourceOf(line.operation) }))
  const found = named.filter(({ line, name }) => hasWords(`${line.operation} ${name}`, find.value.trim()))
  const groups = [...groupBy(found, ({ name }) => name)].map(([name, lines]) => ({
    name,
    lines: lines.map(({ line }) => line),
  }))
  return (
    <Section title="Operations by resource" class="span">
      <SearchBox label="Find an operation" text={find.value} onText={writer(find)} />
      <div>
        {groups.map(group => (
          <Group key={group.name} {...group} open={find.value !== ''} />
        ))}
      </div>
      {groups.length === 0 && <p class="muted">No operation matches "{find.value.trim()}".</p>}
    </Section>
  )
}
