import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/button.tsx'
import { SearchBox } from '../../parts/inputs.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Empty, Loaded } from '../../parts/messages.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { formatMs, longTime, Method, Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { plural } from '../../state/kinds.ts'
import { groupBy, hasWords, sorted, sumOf } from '../../state/lists.ts'
import { requestVersion } from '../../state/live.ts'
import { hrefTo } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { writer } from '../../state/signals.ts'
import { resources } from '../../state/simulator.ts'
import type { Report as RunReport } from '../../types.ts'
import { control } from '../../wire/control.ts'

const Tile = ({ value, children }: { value: string | number; children: ComponentChildren }) => (
  <div class="tile">
    <strong class="number">{value}</strong>
    <span>{children}</span>
  </div>
)

function Summary({ report }: { report: RunReport }) {
  const { coverage, requests, sandboxes, errors, no_route } = report
  const failed = sumOf(errors, ({ count }) => count)
  const save = () => saveFile('edgesim-report.json', JSON.stringify(report, null, 2))
  return (
    <Section
      title={`API coverage since ${longTime(report.started_at)}`}
      class="span"
      actions={
        <Button icon="download" onClick={save}>
          Download
        </Button>
      }
    >
      <div class="tiles">
        <Tile value={requests}>requests{no_route > 0 && `, ${no_route} without a matching operation`}</Tile>
        <Tile value={sandboxes}>{sandboxes === 1 ? 'sandbox' : 'sandboxes'}</Tile>
        <Tile value={failed}>error responses</Tile>
        <Tile value={`${coverage.called} of ${coverage.of}`}>operations called ({coverage.percent}%)</Tile>
      </div>
      <meter class="coverage" min={0} max={100} value={coverage.percent} aria-label="API coverage in percent" />
      <p class="muted">
        Includes all sandboxes, even dropped ones. To save this report for a test run, use{' '}
        <code>edgesim exec --report</code>.
      </p>
    </Section>
  )
}

type Line = RunReport['operations'][number]

/** The resource of an operation: the one with the longest matching path. */
function resourceOf(operation: string): string {
  const path = `${resources.value?.operations.find(({ id }) => id === operation)?.path}/`
  const kinds = resources.value?.kinds.filter(kind => kind.path && path.startsWith(`${kind.path}/`)) ?? []
  const [closest] = sorted(kinds, kind => kind.path!.length, true)
  return closest ? plural(closest) : 'Other'
}

const notCalled = (operation: string): Line => ({ operation, calls: 0, statuses: {}, p50_ms: null, p95_ms: null })

/** Responses with an error, and requests without a response. */
const failuresOf = ({ statuses }: Line) =>
  sumOf(Object.entries(statuses), ([status, count]) => (status === 'none' || Number(status) >= 400 ? count : 0))

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
  const failed = sumOf(lines, failuresOf)
  return (
    <details class="report-group" open={open}>
      <summary>
        <span class="report-group-name">{name}</span>
        <span class={`number ${called.length === 0 ? 'muted' : ''}`}>
          {called.length} of {lines.length} called
        </span>
        <span class="number muted">{called.length > 0 && `${sumOf(called, ({ calls }) => calls)} calls`}</span>
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
function Operations({ operations, not_called }: RunReport) {
  const find = useSignal('')
  const lines = [...operations, ...not_called.map(notCalled)]
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

const Tables = ({ errors, rules, assumptions, deliveries, slowest }: RunReport) => (
  <>
    <Section title="Errors" class="span">
      <Table
        label="Errors"
        none="No error responses."
        heads={['Code', 'Latest message', 'Responses']}
        rows={errors.map(({ code, message, count }) => ({
          key: code,
          cells: [<code key="code">{code}</code>, message, count],
        }))}
      />
    </Section>
    <Section title="Rules">
      <Table
        label="Rules"
        none="No scenario was active."
        heads={['Rule', 'Scenario', 'Matched', 'Fired']}
        rows={rules.map(({ scenario, name, matched, fired }) => ({
          key: `${scenario} ${name}`,
          cells: [name, scenario, matched, fired === 0 ? <span class="muted">never</span> : fired],
        }))}
      />
    </Section>
    <Section title="Assumptions used in responses">
      <Table
        label="Assumptions"
        none="No assumptions used."
        heads={['Assumption', 'Value', 'Requests']}
        rows={assumptions.map(({ name, value, requests }) => ({
          key: `${name} ${value}`,
          cells: [
            <a key="link" class="mono" href={hrefTo(['assumptions'], { text: name })}>
              {name}
            </a>,
            value,
            requests,
          ],
        }))}
      />
    </Section>
    {Object.keys(deliveries).length > 0 && (
      <Section title="Event deliveries">
        <Table
          label="Event deliveries"
          heads={['Result', 'Events']}
          rows={Object.entries(deliveries).map(([result, count]) => ({ key: result, cells: [result, count] }))}
        />
      </Section>
    )}
    <Section title="Slowest requests" class="span">
      <Table
        label="Slowest requests"
        heads={['Request', 'Status', 'Sandbox', 'Duration']}
        rows={slowest.map(({ id, method, path, status, sandbox, duration_ms }) => ({
          key: id,
          cells: [
            <span key="request">
              <Method method={method} />{' '}
              <NameLink text={id} sandbox={sandbox}>
                {path}
              </NameLink>
            </span>,
            <Status key="status" status={status} />,
            sandbox,
            formatMs(duration_ms),
          ],
        }))}
      />
    </Section>
  </>
)

/** API coverage of all sandboxes since startup. */
export function Report() {
  const loaded = useRemote('report', requestVersion.value, signal => control<RunReport>('GET', '/report', { signal }))
  return (
    <Loaded from={loaded}>
      {report =>
        report.requests === 0 ? (
          <Empty icon="report" title="No requests yet">
            No API requests since {longTime(report.started_at)}. Send requests to see which operations your client
            calls.
          </Empty>
        ) : (
          <div class="report">
            <Summary report={report} />
            <Operations {...report} />
            <Tables {...report} />
          </div>
        )
      }
    </Loaded>
  )
}
