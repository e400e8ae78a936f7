import type { Entry, ScenarioReport } from '../../types.ts'
import { block, flow, list } from './yaml.ts'

const TEMPLATE = `name: mine
description: What goes wrong, and when.
rules:
  - name: slow writes
    when: { method: [POST, PATCH, PUT] }
    latency: { p50: 80ms, p95: 300ms, p99: 1s }
`

/** More state than this is a file of its own, not something to edit by hand. */
const MOST_RECORDS = 200

/** Laying it over once more would undo what was done since. */
const leftOut = (name: string) => `# The state of ${flow(name)} is left out: it was laid over already.\n`

type Rule = Record<string, unknown>

const rulesOf = (report: ScenarioReport): Rule[] =>
  report.rules.map(({ matched: _matched, fired: _fired, ...rule }) => rule)

/** A scenario as text, in the order people write it. */
export function toYaml(report: ScenarioReport): string {
  if (report.name === null) return TEMPLATE
  const records = Object.values(report.state ?? {}).flat().length
  if (records > MOST_RECORDS) return `${leftOut(report.name)}${toYaml({ ...report, state: undefined })}`
  const { name, description, fixture, clock, seed, assume, state } = report
  const parts = [block({ name, description: description || undefined, fixture, clock, seed, assume }, '')]
  if (state) parts.push('state:', ...Object.entries(state).map(([table, rows]) => tableYaml(table, rows)))
  if (report.rules.length > 0) parts.push('rules:', list(rulesOf(report)))
  return `${parts.join('\n')}\n`
}

const tableYaml = (table: string, rows: unknown) =>
  Array.isArray(rows) ? `  ${table}:\n${rows.map(row => `    - ${flow(row)}`).join('\n')}` : `  ${table}: ${flow(rows)}`

/** The scenario in use with one rule more, that matches that request. */
export function ruleFrom(entry: Entry, report: ScenarioReport | undefined): string {
  const names = report?.name ? { ...report, name: report.name } : undefined
  const when: Rule = { operation: entry.operation }
  // One record among many was meant, not all calls of the operation.
  if (/\/[a-z]+_[^/]+/.test(entry.path.replace(/^\/[^/]+/, ''))) when.path = entry.path
  if (entry.caller) when.owner = entry.caller.id
  const rule: Rule = {
    name: `as ${entry.id.slice(0, 10)}`,
    when,
    fault: { type: 'error', status: 503, retry_after: '2s' },
  }
  const { clock, seed, assume } = names ?? {}
  const head = block(
    {
      name: names?.name ?? 'mine',
      description: names?.description || `Made from the request ${entry.method} ${entry.path}`,
      clock,
      seed,
      assume,
    },
    '',
  )
  const note = names?.state || names?.fixture ? leftOut(names.name) : ''
  return `${note}${head}\nrules:\n${list([...(names ? rulesOf(names) : []), rule])}\n`
}
