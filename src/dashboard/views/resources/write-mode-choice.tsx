import { useId } from 'preact/hooks'
import { resources, scenario } from '../../state/simulator.ts'
import type { Kind, RuleReport } from '../../types.ts'
import type { WriteMode } from './record-body.ts'

/** Whether a rule could fail or delay a call. Ignores paths, callers and addresses. */
function mayAffect({ when = {}, fault, rate_limit, latency }: RuleReport, method: string, operation: string): boolean {
  const isCall = when.edge === undefined && when.delivery === undefined
  const matches = (wanted: unknown, value: string) => wanted === undefined || [wanted].flat().includes(value)
  const matched = isCall && matches(when.method, method) && matches(when.operation, operation)
  return matched && Boolean(fault || rate_limit || latency)
}

/** A warning if the active scenario may affect the call. */
function warningOf({ path }: Kind, method: string): string | undefined {
  const route = method === 'POST' ? path : `${path}/{id}`
  const operation = resources.value?.operations.find(each => each.method === method && each.path === route)
  const { name, rules } = scenario.value ?? { name: null, rules: [] }
  const rule = operation && rules.find(each => mayAffect(each, method, operation.id))
  if (!rule) return undefined
  const active = name === null ? 'A scenario is active' : `Scenario "${name}" is active`
  return `${active}. Its rule "${rule.name}" may fail or delay this request.`
}

interface Props {
  how: WriteMode
  onChange(how: WriteMode): void
  /** Whether the API has the operation. */
  offered: boolean
  kind: Kind
  method: string
  path: string
}

/** Chooses between the API and the state, if the API has the operation. */
export function WriteModeChoice({ how, onChange, offered, kind, method, path }: Props) {
  const name = useId()
  if (!offered)
    return (
      <p class="muted small-text">
        The API has no operation for this. The change uses /_sim/db and isn't in the request log.
      </p>
    )
  const warning = warningOf(kind, method)
  return (
    <fieldset class="field how">
      <legend class="hidden">Write mode</legend>
      <label class="check">
        <input type="radio" name={name} checked={how === 'api'} onChange={() => onChange('api')} />
        <span>
          Use the API
          <span class="muted small-text wrap">
            {method} {path}. Appears in the request log.
          </span>
        </span>
      </label>
      <label class="check">
        <input type="radio" name={name} checked={how === 'state'} onChange={() => onChange('state')} />
        <span>
          Bypass the API
          <span class="muted small-text">Uses /_sim/db. Ignores the scenario's faults. Not in the request log.</span>
        </span>
      </label>
      {how === 'api' && warning && <p class="note warn small-text">{warning}</p>}
    </fieldset>
  )
}
