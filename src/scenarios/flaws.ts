import type { Problem } from '../fixtures/index.ts'
import { findFlaws } from '../schema/index.ts'
import { describeFlaw, formatPath } from '../words/flaw.ts'
import { isObject } from '../words/is-object.ts'
import { nearest, withHint } from '../words/nearest.ts'
import { faultKinds } from './faults/index.ts'
import { MOST_RULES, scenarioSchema } from './schema.ts'
import type { ScenarioFlaw } from './setting.ts'

const TYPES = faultKinds.map(({ type }) => type)

/** What is wrong with a scenario as it is written, each with the place and the name that may have been meant. */
export function findProblems(value: unknown): Problem[] {
  // Before each of them is looked at.
  const { rules } = (isObject(value) ? value : {}) as { rules?: unknown }
  if (Array.isArray(rules) && rules.length > MOST_RULES)
    return [{ path: ['rules'], message: `rules: must be a list of ${MOST_RULES} or less, not of ${rules.length}` }]
  return findFlaws(scenarioSchema, value).map(flaw => ({ path: flaw.path, message: describe(ofFault(flaw, value)) }))
}

function describe(flaw: ScenarioFlaw): string {
  return flaw.says ? withHint(`${formatPath(flaw.path)}: ${flaw.says}`, flaw.near) : describeFlaw(flaw, 'the scenario')
}

/** A setting of another fault is unknown too; the known ones are those of this fault. */
function ofFault(flaw: ScenarioFlaw, value: unknown): ScenarioFlaw {
  const [rules, index, member, setting] = flaw.path
  if (rules !== 'rules' || member !== 'fault' || setting === undefined) return flaw
  // biome-ignore lint/suspicious/noExplicitAny: whatever somebody wrote
  const given = (value as any).rules[index as number].fault
  if (setting === 'type') return { ...flaw, near: nearest(String(given.type), TYPES) }
  if (!flaw.unknown) return flaw
  const kind = faultKinds.find(({ type }) => type === given.type)
  return { ...flaw, unknown: { ...flaw.unknown, allowed: ['type', ...Object.keys(kind?.settings ?? {})] } }
}
