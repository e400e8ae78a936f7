import { counted } from '../../basics/text.ts'
import type { Report } from '../../contract/report.ts'
import { isTooFew, listOf, markup } from './wording.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b2430, #e3e8ef); --quiet: light-dark(#5b6675, #9aa6b6);
  --line: light-dark(#d9dfe7, #323c4a); --back: light-dark(#ffffff, #12171e); --card: light-dark(#f6f8fa, #1a2029);
  --good: light-dark(#1a7f4b, #4cc38a); --bad: light-dark(#b42318, #ff8a7a); --accent: light-dark(#2456c9, #7aa2ff) }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 32px 20px 64px; max-width: 1080px; color: var(--ink); background: var(--back);
  font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 24px; margin: 0 0 4px } h2 { font-size: 17px; margin: 36px 0 8px }
p { margin: 4px 0; color: var(--quiet) }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 24px 0 }
.fact { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px }
.fact b { display: block; font-size: 24px; font-variant-numeric: tabular-nums }
meter { width: 100%; height: 12px }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: 5px 16px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { color: var(--quiet); font-weight: 500 } .n { text-align: right }
td:first-child, code { font: 13px/1.6 ui-monospace, monospace; overflow-wrap: anywhere }
.bad { color: var(--bad) } .good { color: var(--good) }
.names { columns: 260px; padding: 0; list-style: none; margin: 8px 0 }
@media print { body { max-width: none; padding: 0; font-size: 11px } h2 { break-after: avoid } tr, .fact { break-inside: avoid }
  thead { display: table-header-group } .wide { overflow: visible } }
`

type Cell = string | number | null
interface Column {
  head: string
  /** Align right. */
  number?: true
}

/** The report as one self-contained file, for reading and printing. */
export function reportAsHtml(report: Report): string {
  const { coverage, requests, sandboxes, version, started_at, exit_code } = report
  const failed = report.errors.reduce((sum, { count }) => sum + count, 0)
  const ended = exit_code === undefined ? '' : ` The command exited with code ${exit_code}.`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>edgesim: API coverage</title>
<style>${STYLE}</style>
</head>
<body>
<h1>API coverage</h1>
<p>edgesim ${markup(version)}, started ${markup(started_at)}.${ended}</p>
<div class="facts">
${fact(requests, nounFor(requests, 'request'))}${fact(sandboxes, nounFor(sandboxes, 'sandbox'))}${fact(failed, nounFor(failed, 'error response'))}${fact(`${coverage.called} of ${coverage.of}`, `operations called (${coverage.percent}%)`)}
</div>
<meter min="0" max="100" value="${coverage.percent}" aria-label="Operations called">${coverage.percent}%</meter>
${coverage.required === undefined ? '' : required(report)}
${operations(report)}
${notCalled(report)}
${table(
  'Errors',
  'No errors.',
  [{ head: 'Code' }, { head: 'Latest message' }, { head: 'Responses', number: true }],
  report.errors.map(({ code, message, count }) => [code, message, count]),
)}
${assumptions(report)}
${table(
  'Rules',
  'No active scenario.',
  [{ head: 'Rule' }, { head: 'Scenario' }, { head: 'Matched', number: true }, { head: 'Fired', number: true }],
  report.rules.map(({ name, scenario, matched, fired }) => [name, scenario, matched, fired === 0 ? 'never' : fired]),
)}
${table('Event deliveries', 'No event deliveries.', [{ head: 'Result' }, { head: 'Events', number: true }], Object.entries(report.deliveries))}
${slowest(report)}
</body>
</html>
`
}

/** `request` or `requests` */
const nounFor = (count: number, noun: string) => counted(count, noun).slice(String(count).length + 1)

const fact = (value: Cell, name: string) => `<div class="fact"><b>${markup(value)}</b>${markup(name)}</div>`

const required = (report: Report) => {
  const few = isTooFew(report)
  return `<p class="${few ? 'bad' : 'good'}">${few ? '✕ Below' : '✓ At least'} the ${report.coverage.required}% required by --fail-under.</p>`
}

function table(title: string, none: string, columns: Column[], rows: Cell[][]): string {
  const side = (i: number) => (columns[i]!.number ? ' class="n"' : '')
  const head = columns.map((column, i) => `<th scope="col"${side(i)}>${markup(column.head)}</th>`).join('')
  const body = rows.map(row => `<tr>${row.map((cell, i) => `<td${side(i)}>${markup(cell ?? '–')}</td>`).join('')}</tr>`)
  const inner = `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`
  return `<h2>${markup(title)}</h2>\n${rows.length === 0 ? `<p>${markup(none)}</p>` : inner}`
}

const operations = ({ operations: called, no_route }: Report) =>
  table(
    'Operations called',
    'No operations called.',
    [
      { head: 'Operation' },
      { head: 'Calls', number: true },
      { head: 'Statuses' },
      { head: 'p50 ms', number: true },
      { head: 'p95 ms', number: true },
    ],
    called.map(({ operation, calls, statuses, p50_ms, p95_ms }) => [
      operation,
      calls,
      listOf(statuses),
      p50_ms,
      p95_ms,
    ]),
  ) + (no_route > 0 ? `\n<p>${counted(no_route, 'request')} matched no operation.</p>` : '')

const notCalled = ({ not_called, coverage }: Report) =>
  `<h2>Operations not called</h2>\n${
    not_called.length === 0
      ? `<p>All ${coverage.of} operations were called.</p>`
      : `<ul class="names">\n${not_called.map(name => `<li><code>${markup(name)}</code></li>`).join('\n')}\n</ul>`
  }`

function assumptions({ assumptions: noted }: Report): string {
  const varied = noted.some(({ matters }) => matters !== undefined)
  return table(
    'Assumptions that affected responses',
    'No assumptions affected a response.',
    [
      { head: 'Assumption' },
      { head: 'Value' },
      { head: 'Requests', number: true },
      ...(varied ? [{ head: 'Command depends on it' }] : []),
    ],
    noted.map(({ name, value, requests, matters }) => [
      name,
      value,
      requests,
      ...(varied
        ? [matters === undefined ? 'not tested' : matters.length > 0 ? `yes, with ${matters.join(', ')}` : 'no']
        : []),
    ]),
  )
}

const slowest = ({ slowest: slow }: Report) =>
  table(
    'Slowest requests',
    'No requests.',
    [{ head: 'Request' }, { head: 'Status' }, { head: 'Sandbox' }, { head: 'ms', number: true }],
    slow.map(({ method, path, status, sandbox, duration_ms }) => [
      `${method} ${path}`,
      status ?? 'no response',
      sandbox,
      duration_ms,
    ]),
  )
