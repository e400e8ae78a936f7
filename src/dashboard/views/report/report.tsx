import type { ComponentChildren } from 'preact'
import { counted } from '../../../basics/text.ts'
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

const took = (ms: number | null) => (ms === null ? '–' : formatMs(ms))

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
      title={`Since the start at ${longTime(report.started_at)}`}
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
        <Tile value={requests}>requests{no_route > 0 && `, ${no_route} to no operation`}</Tile>
        <Tile value={sandboxes}>{sandboxes === 1 ? 'sandbox' : 'sandboxes'}</Tile>
        <Tile value={failed}>errors in answers</Tile>
        <Tile value={`${coverage.called} of ${coverage.of}`}>operations called, {coverage.percent} %</Tile>
      </div>
      <meter class="coverage" min={0} max={100} value={coverage.percent} aria-label="Operations called, in percent" />
      <p class="muted">
        All sandboxes count, also dropped ones. <code>edgesim exec --report</code> writes this for a run of tests.
      </p>
    </Section>
  )
}

function Operations({ report }: { report: RunReport }) {
  return (
    <Section title="Operations called" class="span">
      <Table
        label="Operations called"
        none="None yet."
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
              {took(p50_ms)}
            </span>,
            <span key="p95" class="number">
              {took(p95_ms)}
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
        none="None yet."
        heads={['Request', 'Status', 'Sandbox', 'Took']}
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
            took(duration_ms),
          ],
        }))}
      />
    </Section>
  )
}

/** What clients have touched since the start, in all sandboxes. */
export function Report() {
  const { data, error } = useRemote('report', requestVersion.value, signal =>
    control<RunReport>('GET', '/report', { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  if (data.requests === 0)
    return (
      <Empty icon="report" title="Nothing was touched yet">
        Since {longTime(data.started_at)} no request came to the API. What clients call is counted here.
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
          none="No answer was an error."
          heads={['Code', 'Answers']}
          rows={errors.map(({ code, count }) => ({ key: code, cells: [<code key="code">{code}</code>, count] }))}
        />
      </Section>
      <Section title="Rules">
        <Table
          label="Rules"
          none="No scenario was in use."
          heads={['Rule', 'Scenario', 'Matched', 'Fired']}
          rows={rules.map(({ scenario, name, matched, fired }) => ({
            key: `${scenario} ${name}`,
            cells: [name, scenario, matched, fired === 0 ? <span class="muted">never</span> : fired],
          }))}
        />
      </Section>
      <Section title="Assumptions that answers depended on">
        <Table
          label="Assumptions"
          none="None."
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
        <Section title="Deliveries of events">
          <Table
            label="Deliveries of events"
            none=""
            heads={['Result', 'Events']}
            rows={Object.entries(deliveries).map(([result, count]) => ({ key: result, cells: [result, count] }))}
          />
        </Section>
      )}
      <Slowest report={data} />
      <Section title={`Never called: ${counted(data.not_called.length, 'operation')}`} class="span">
        <NotCalled names={data.not_called} />
      </Section>
    </div>
  )
}
