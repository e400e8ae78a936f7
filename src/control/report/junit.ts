import { counted } from '../../basics/text.ts'
import type { Report } from '../../contract/report.ts'
import { isTooFew, listOf, markup } from './wording.ts'

interface Case {
  name: string
  result?: 'failure' | 'skipped'
  message?: string
  out?: string
}

/** The required coverage, operations, rules and assumptions as test cases, in the XML format of most CI services. */
export function reportAsJunit(report: Report): string {
  const suites: [string, Case[]][] = [
    ['coverage', requiredCoverage(report)],
    [
      'operations',
      [
        ...report.operations.map(({ operation, calls, statuses, p50_ms, p95_ms }) => ({
          name: operation,
          out: `calls: ${calls}, statuses: ${listOf(statuses)}, p50: ${p50_ms} ms, p95: ${p95_ms} ms`,
        })),
        ...report.not_called.map(name => ({ name, result: 'skipped', message: 'never called' }) as const),
      ],
    ],
    [
      'rules',
      report.rules.map(({ scenario, name, matched, fired }) => ({
        name: `${scenario}: ${name}`,
        out: `matched: ${matched}; fired: ${fired}`,
        ...(fired === 0 && { result: 'skipped' as const, message: 'never fired' }),
      })),
    ],
    [
      'assumptions',
      report.assumptions.map(({ name, value, requests, matters = [] }) => ({
        name: `${name}=${value}`,
        out: `requests: ${requests}${matters.length > 0 ? `; the command depends on it: ${matters.join(', ')} changes the exit code` : ''}`,
      })),
    ],
  ]
  const used = suites.filter(([, cases]) => cases.length > 0)
  const all = used.flatMap(([, cases]) => cases)
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="edgesim" ${counts(all)}>
${used.map(([name, cases]) => suite(name, cases)).join('\n')}
</testsuites>
`
}

/** One case for `--fail-under`, because every uncalled operation as a failure would hide the failures of tests. */
function requiredCoverage(report: Report): Case[] {
  const { called, of, percent, required } = report.coverage
  if (required === undefined) return []
  const found = `${called} of ${counted(of, 'operation')} called (${percent}%)`
  const failed = isTooFew(report) && { result: 'failure' as const, message: found }
  return [{ name: `at least ${required}%`, out: found, ...failed }]
}

const number = (cases: Case[], result: Case['result']) => cases.filter(each => each.result === result).length

const counts = (cases: Case[]) =>
  `tests="${cases.length}" failures="${number(cases, 'failure')}" errors="0" skipped="${number(cases, 'skipped')}"`

const suite = (name: string, cases: Case[]) =>
  `  <testsuite name="${name}" ${counts(cases)}>
${cases.map(each => testCase(name, each)).join('\n')}
  </testsuite>`

function testCase(suiteName: string, { name, result, message, out }: Case): string {
  const head = `    <testcase classname="edgesim.${suiteName}" name="${markup(name)}"`
  const inner = [
    result && `<${result} message="${markup(message)}"/>`,
    out && `<system-out>${markup(out)}</system-out>`,
  ].filter(Boolean)
  return inner.length === 0 ? `${head}/>` : `${head}>${inner.join('')}</testcase>`
}
