import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/button.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Empty, Loaded } from '../../parts/messages.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { formatMs, longTime, Method, Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { requestVersion } from '../../state/live.ts'
import { hrefTo } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import type { Report as RunReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { Operations } from './operations.tsx'

const Tile = ({ value, children }: { value: string | number; children: ComponentChildren }) => (
  <div class="tile">
    <strong class="number">{value}</strong>
    <span>{children}</span>
  </div>
)

function Summary({ report }: { report: RunReport }) {
  const { coverage, requests, sandboxes, errors, no_route } = report
  const failed = errors.reduce((sum, { count }) => sum + count, 0)
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
            <Operations report={report} />
            <Tables {...report} />
          </div>
        )
      }
    </Loaded>
  )
}
