import { signal } from '@preact/signals'
import type { Json, ListedEntry, ScenarioReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { RequestError } from '../../wire/request-error.ts'
import { withRule } from './rule-form.ts'

const STORAGE_KEY = 'edgesim-scenario-draft'

/** What was typed in the editor, kept over a reload; undefined while nothing was. */
export const draft = signal<string | undefined>(sessionStorage.getItem(STORAGE_KEY) ?? undefined)

export function setDraft(text: string | undefined) {
  draft.value = text
  if (text === undefined) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, text)
}

const TEMPLATE = `name: mine
description: What goes wrong, and when.
rules:
  - name: slow writes
    when: { method: [POST, PATCH, PUT] }
    latency: { p50: 80ms, p95: 300ms, p99: 1s }
`

/** Characters of JSON, some 200 records. More is a file of its own, not something to edit by hand. */
const MAX_STATE_LENGTH = 25_000

/** Applying the state again would undo what was done since. */
const stateLeftOut = (name: string) => `# The state of ${JSON.stringify(name)} is left out: it was applied already.\n`

async function toYaml(scenario: Json, signal?: AbortSignal): Promise<string> {
  const { yaml } = await control<{ yaml: string }>('POST', '/scenario/yaml', { body: scenario, signal })
  return yaml
}

/** A rule as YAML, in the list that it will be in. */
export const ruleText = (rule: Json, signal?: AbortSignal) => toYaml({ rules: [rule] }, signal)

/** What is in the editor, with one more rule. Without a scenario and a draft, that rule alone, not those of the example. */
export async function draftWithRule(rule: Json, report: ScenarioReport | undefined): Promise<string> {
  const [text, added] = await Promise.all([
    draft.value ?? (report?.name ? scenarioText(report) : 'name: mine\n'),
    ruleText(rule),
  ])
  const next = withRule(text, added)
  if (next === undefined)
    throw new RequestError(0, 'The rules in the editor are not a list, line by line. Write each on a line after "- ".')
  return next
}

/** The scenario as it was given: without its counters. */
export function withoutCounters({ rules, description, ...rest }: ScenarioReport) {
  const plain: Json[] = rules.map(({ matched: _matched, fired: _fired, ...rule }) => rule)
  return { ...rest, description: description || undefined, rules: plain }
}

/** The scenario in use as YAML. Without one, an example to begin with. */
export async function scenarioText(report: ScenarioReport, signal?: AbortSignal): Promise<string> {
  if (report.name === null) return TEMPLATE
  const { name, description, state, rules, ...rest } = withoutCounters(report)
  const tooLarge = JSON.stringify(state ?? {}).length > MAX_STATE_LENGTH
  const scenario = { name, description, ...rest, state: tooLarge ? undefined : state, rules }
  return `${tooLarge ? stateLeftOut(report.name) : ''}${await toYaml(scenario, signal)}`
}

/** The scenario in use as YAML, with one more rule that matches the request. */
export async function textWithRule(entry: ListedEntry, report: ScenarioReport | undefined): Promise<string> {
  const inUse = report?.name ? withoutCounters(report) : undefined
  const when: Json = { operation: entry.operation }
  // A path with an id means that one record, not all calls of the operation.
  if (/\/[a-z]+_[^/]+/.test(entry.path.replace(/^\/[^/]+/, ''))) when.path = entry.path
  if (entry.caller) when.owner = entry.caller.id
  const rule: Json = {
    name: `as ${entry.id.slice(0, 10)}`,
    when,
    fault: { type: 'error', status: 503, retry_after: '2s' },
  }
  const text = await toYaml({
    name: inUse?.name ?? 'mine',
    description: inUse?.description ?? `Made from the request ${entry.method} ${entry.path}`,
    clock: inUse?.clock,
    seed: inUse?.seed,
    assume: inUse?.assume,
    rules: [...(inUse?.rules ?? []), rule],
  })
  return `${inUse?.state || inUse?.fixture ? stateLeftOut(inUse.name!) : ''}${text}`
}
