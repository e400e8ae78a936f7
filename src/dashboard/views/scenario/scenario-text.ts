import { effect, signal } from '@preact/signals'
import { sandboxControl, scenario } from '../../state/simulator.ts'
import type { Json, ListedEntry, ScenarioReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { withRule } from './rule-form.ts'

const STORAGE_KEY = 'edgesim-scenario-draft'

/** Unsaved editor text, preserved on reload. */
export const draft = signal<string | undefined>(sessionStorage.getItem(STORAGE_KEY) ?? undefined)

effect(() => {
  if (draft.value === undefined) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, draft.value)
})

/** Replaces the active scenario, and what was typed in the editor. */
export async function activate(body: { name: string } | { yaml: string }) {
  scenario.value = await sandboxControl<ScenarioReport>('PUT', '/scenario', { body })
  draft.value = undefined
}

const TEMPLATE = `name: mine
description: Which faults to inject, and when.
rules:
  - name: slow writes
    when: { method: [POST, PATCH, PUT] }
    latency: { p50: 80ms, p95: 300ms, p99: 1s }
`

/** In characters of JSON, about 200 records. More belongs in a fixture file. */
const MAX_STATE_LENGTH = 25_000

async function toYaml(scenario: Json, signal?: AbortSignal): Promise<string> {
  const { yaml } = await control<{ yaml: string }>('POST', '/scenario/yaml', { body: scenario, signal })
  return yaml
}

/** YAML with the rule in a `rules:` list. */
export const ruleText = (rule: Json, signal?: AbortSignal) => toYaml({ rules: [rule] }, signal)

/** Adds a rule to the text in the editor, or to the active scenario or the template. The other rules are unchanged. */
export async function addRule(rule: Json, report: ScenarioReport) {
  const [text, added] = await Promise.all([draft.value ?? scenarioText(report), ruleText(rule)])
  const next = withRule(text, added)
  if (next === undefined)
    throw new Error('Cannot add the rule: the rules in the editor are not a block list. Start each rule with "- ".')
  draft.value = next
}

/** The scenario as it was written: without match counts, and without a seed from elsewhere. */
export function asWritten({ name, description, state, seed, seed_source, rules, ...rest }: ScenarioReport): Json {
  const plain = rules.map(({ matched: _matched, fired: _fired, ...rule }) => rule)
  const own = seed_source === 'scenario' ? { seed } : {}
  return { name, description: description || undefined, ...rest, ...own, state, rules: plain }
}

/** The active scenario as YAML, or a template. */
export async function scenarioText(report: ScenarioReport, signal?: AbortSignal): Promise<string> {
  if (report.name === null) return TEMPLATE
  const tooLarge = JSON.stringify(report.state ?? {}).length > MAX_STATE_LENGTH
  const text = await toYaml({ ...asWritten(report), ...(tooLarge && { state: undefined }) }, signal)
  return tooLarge ? `# State of ${JSON.stringify(report.name)} omitted, because it was already applied.\n${text}` : text
}

/** A rule that matches the request. */
export function ruleFor({ id, operation, path, caller }: ListedEntry): Json {
  // A path with an id: match only this record.
  const isOne = /\/[a-z]+_[^/]+/.test(path.replace(/^\/[^/]+/, ''))
  return {
    name: `from ${id.slice(0, 10)}`,
    when: { operation, ...(isOne && { path }), ...(caller && { owner: caller.id }) },
    fault: { type: 'error', status: 503, retry_after: '2s' },
  }
}
