import { isObject } from '../basics/json.ts'
import { nearest, withHint } from '../basics/nearest.ts'
import { describeProblem, formatPath } from '../basics/problem.ts'
import type { FileProblem } from '../files/document.ts'
import { findProblems } from '../schema/index.ts'
import { faultKinds } from './faults/index.ts'
import { MAX_SCENARIO_RULES, scenarioSchema } from './schema.ts'
import type { ScenarioProblem } from './setting.ts'

const FAULT_TYPES = faultKinds.map(({ type }) => type)

/** Finds what is wrong with a scenario as it was written. */
export function findScenarioProblems(value: unknown): FileProblem[] {
  // Checking a huge list of rules would take long, so their number is checked first.
  const { rules } = (isObject(value) ? value : {}) as { rules?: unknown }
  if (Array.isArray(rules) && rules.length > MAX_SCENARIO_RULES)
    return [
      { path: ['rules'], message: `rules: must be a list of ${MAX_SCENARIO_RULES} or less, not of ${rules.length}` },
    ]
  return findProblems(scenarioSchema, value).map(problem => ({
    path: problem.path,
    message: describe(withFaultSettings(problem, value)),
  }))
}

function describe(problem: ScenarioProblem): string {
  return problem.message
    ? withHint(`${formatPath(problem.path)}: ${problem.message}`, problem.near)
    : describeProblem(problem, 'the scenario')
}

/** In a fault, only the settings of its own type are allowed: names them. */
function withFaultSettings(problem: ScenarioProblem, value: unknown): ScenarioProblem {
  const [rules, index, member, setting] = problem.path
  if (rules !== 'rules' || member !== 'fault' || setting === undefined) return problem
  // biome-ignore lint/suspicious/noExplicitAny: the value was not checked yet
  const given = (value as any).rules[index as number].fault
  if (setting === 'type') return { ...problem, near: nearest(String(given.type), FAULT_TYPES) }
  if (!problem.unknown) return problem
  const kind = faultKinds.find(({ type }) => type === given.type)
  return { ...problem, unknown: { ...problem.unknown, allowed: ['type', ...Object.keys(kind?.settings ?? {})] } }
}
