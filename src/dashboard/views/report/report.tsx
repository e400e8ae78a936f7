import type { ComponentChildren } from 'preact'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Failure, Loading } from '../../parts/messages.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { formatMs, longTime, Method, Status } from '../../parts/status.tsx'
import { requestVersion } from '../../state/live.ts'
import { hrefTo } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import type { Report as RunReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { NotCalled } from './not-called.tsx'
import { Table } from './table.tsx'

const duration = (ms: number | null) => (ms === null ? '–' : formatMs(ms))

const Tile = ({ value, children }: { value: string | number; children: ComponentChildren }) => (
  <div class="tile">
    <strong class="number">{value}</strong>
    <span>{children}</span>
  </div>
)

function Statuses({ statuses }: { statuses: Record<string, number> }) {
  return (
    <ul class="tags">
      {Object.entries(statuses).map(([status, count]) => (
        <li key={status}>
          <Status status={status === 'none' ? null : Number(status)} /> <span class="muted number">× {count}</span>
        </li>
      ))}
    </ul>
  )
}

function Summary({ report }: { report: RunReport }) {
  const { coverage, requests, sandboxes, errors, no_route } = report
  const failed = errors.reduce((sum, { count }) => sum + count, 0)
  return (
    <Section
      title={`API coverage since ${longTime(report.started_at)}`}
      class="span"
      actions={
        <button
          type="button"
          class="button"
          onClick={() => saveFile('edgesim-report.json', JSON.stringify(report, null, 2))}
        >
          <Icon name="download" /> Download
        </button>
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

function Operations({ report }: { report: RunReport }) {
  return (
    <Section title="Operations called" class="span">
      <Table
        label="Operations called"
        none="No operations called yet."
        heads={['Operation', 'Calls', 'Statuses', 'p50', 'p95']}
        rows={report.operations.map(({ operation, calls, statuses, p50_ms, p95_ms }) => ({
          key: operation,
          cells: [
            <a key="link" class="mono" href={hrefTo(['requests'], { operation })}>
              {operation}
            </a>,
            calls,
            <Statuses key="statuses" statuses={statuses} />,
            <span key="p50" class="number">
              {duration(p50_ms)}
            </span>,
            <span key="p95" class="number">
              {duration(p95_ms)}
            </span>,
          ],
        }))}
      />
    </Section>
  )
}

function Slowest({ report }: { report: RunReport }) {
  return (
    <Section title="Slowest requests" class="span">
      <Table
        label="Slowest requests"
        none="No requests yet."
        heads={['Request', 'Status', 'Sandbox', 'Duration']}
        rows={report.slowest.map(({ id, method, path, status, sandbox, duration_ms }) => ({
          key: id,
          cells: [
            <span key="request">
              <Method method={method} />{' '}
              <a class="mono wrap" href={hrefTo(['requests', id], { sandbox })}>
                {path}
              </a>
            </span>,
            <Status key="status" status={status} />,
            sandbox,
            duration(duration_ms),
          ],
        }))}
      />
    </Section>
  )
}

/** API coverage of all sandboxes since startup. */
export function Report() {
  const { data, error } = useRemote('report', requestVersion.value, signal =>
    control<RunReport>('GET', '/report', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  if (data.requests === 0)
    return (
      <Empty icon="report" title="No requests yet">
        No API requests since {longTime(data.started_at)}. Send requests to see which operations your client calls.
      </Empty>
    )
  const { errors, assumptions, rules, deliveries } = data
  return (
    <div class="report">
      <Summary report={data} />
      <Operations report={data} />
      <Section title="Errors">
        <Table
          label="Errors"
          none="No error responses."
          heads={['Code', 'Responses']}
          rows={errors.map(({ code, count }) => ({ key: code, cells: [<code key="code">{code}</code>, count] }))}
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
            none=""
            heads={['Result', 'Events']}
            rows={Object.entries(deliveries).map(([result, count]) => ({ key: result, cells: [result, count] }))}
          />
        </Section>
      )}
      <Slowest report={data} />
      <Section title={`Operations not called (${data.not_called.length})`} class="span">
        <NotCalled names={data.not_called} />
      </Section>
    </div>
  )
}
