import { isObject } from '../basics/json.ts'
import { nearest, withHint } from '../basics/nearest.ts'
import { describeProblem, formatPath } from '../basics/problem.ts'
import type { FileProblem } from '../files/document.ts'
import { findProblems } from '../schema/index.ts'
import { faultKinds } from './faults/index.ts'
import { MOST_RULES, scenarioSchema } from './schema.ts'
import type { ScenarioProblem } from './setting.ts'

const TYPES = faultKinds.map(({ type }) => type)

/** What is wrong with a scenario as it is written, each with the place and the name that may have been meant. */
export function findScenarioProblems(value: unknown): FileProblem[] {
  // Before each of them is looked at.
  const { rules } = (isObject(value) ? value : {}) as { rules?: unknown }
  if (Array.isArray(rules) && rules.length > MOST_RULES)
    return [{ path: ['rules'], message: `rules: must be a list of ${MOST_RULES} or less, not of ${rules.length}` }]
  return findProblems(scenarioSchema, value).map(problem => ({
    path: problem.path,
    message: describe(ofFault(problem, value)),
  }))
}

function describe(problem: ScenarioProblem): string {
  return problem.says
    ? withHint(`${formatPath(problem.path)}: ${problem.says}`, problem.near)
    : describeProblem(problem, 'the scenario')
}

/** A setting of another fault is unknown too; the known ones are those of this fault. */
function ofFault(problem: ScenarioProblem, value: unknown): ScenarioProblem {
  const [rules, index, member, setting] = problem.path
  if (rules !== 'rules' || member !== 'fault' || setting === undefined) return problem
  // biome-ignore lint/suspicious/noExplicitAny: whatever somebody wrote
  const given = (value as any).rules[index as number].fault
  if (setting === 'type') return { ...problem, near: nearest(String(given.type), TYPES) }
  if (!problem.unknown) return problem
  const kind = faultKinds.find(({ type }) => type === given.type)
  return { ...problem, unknown: { ...problem.unknown, allowed: ['type', ...Object.keys(kind?.settings ?? {})] } }
}
