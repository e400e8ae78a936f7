import { signal } from '@preact/signals'
import type { Json, ListedEntry, ScenarioReport } from '../../types.ts'
import { control } from '../../wire/control.ts'
import { RequestError } from '../../wire/request-error.ts'
import { withRule } from './rule-form.ts'

const STORAGE_KEY = 'edgesim-scenario-draft'

/** Unsaved editor text, preserved on reload. */
export const draft = signal<string | undefined>(sessionStorage.getItem(STORAGE_KEY) ?? undefined)

export function setDraft(text: string | undefined) {
  draft.value = text
  if (text === undefined) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, text)
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

/** Applying the state again would undo later changes. */
const stateOmitted = (name: string) => `# State of ${JSON.stringify(name)} omitted, because it was already applied.\n`

async function toYaml(scenario: Json, signal?: AbortSignal): Promise<string> {
  const { yaml } = await control<{ yaml: string }>('POST', '/scenario/yaml', { body: scenario, signal })
  return yaml
}

/** YAML with the rule in a `rules:` list. */
export const ruleText = (rule: Json, signal?: AbortSignal) => toYaml({ rules: [rule] }, signal)

/** Adds a rule to the editor text. Without a scenario or draft, the template's rules are omitted. */
export async function draftWithRule(rule: Json, report: ScenarioReport | undefined): Promise<string> {
  const [text, added] = await Promise.all([
    draft.value ?? (report?.name ? scenarioText(report) : 'name: mine\n'),
    ruleText(rule),
  ])
  const next = withRule(text, added)
  if (next === undefined)
    throw new RequestError(
      0,
      'Cannot add the rule: the rules in the editor are not a block list. Start each rule on a new line with "- ".',
    )
  return next
}

export function withoutCounters({ rules, description, ...rest }: ScenarioReport) {
  const plain: Json[] = rules.map(({ matched: _matched, fired: _fired, ...rule }) => rule)
  return { ...rest, description: description || undefined, rules: plain }
}

/** The active scenario as YAML, or a template. */
export async function scenarioText(report: ScenarioReport, signal?: AbortSignal): Promise<string> {
  if (report.name === null) return TEMPLATE
  const { name, description, state, rules, ...rest } = withoutCounters(report)
  const tooLarge = JSON.stringify(state ?? {}).length > MAX_STATE_LENGTH
  const scenario = { name, description, ...rest, state: tooLarge ? undefined : state, rules }
  return `${tooLarge ? stateOmitted(report.name) : ''}${await toYaml(scenario, signal)}`
}

/** The active scenario as YAML, plus a rule that matches the request. */
export async function textWithRule(entry: ListedEntry, report: ScenarioReport | undefined): Promise<string> {
  const active = report?.name ? withoutCounters(report) : undefined
  const when: Json = { operation: entry.operation }
  // A path with an id: match only this record.
  if (/\/[a-z]+_[^/]+/.test(entry.path.replace(/^\/[^/]+/, ''))) when.path = entry.path
  if (entry.caller) when.owner = entry.caller.id
  const rule: Json = {
    name: `from ${entry.id.slice(0, 10)}`,
    when,
    fault: { type: 'error', status: 503, retry_after: '2s' },
  }
  const text = await toYaml({
    name: active?.name ?? 'mine',
    description: active?.description ?? `Created from ${entry.method} ${entry.path}`,
    clock: active?.clock,
    seed: active?.seed,
    assume: active?.assume,
    rules: [...(active?.rules ?? []), rule],
  })
  return `${active?.state || active?.fixture ? stateOmitted(active.name!) : ''}${text}`
}
