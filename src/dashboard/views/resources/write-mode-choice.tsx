import { useId } from 'preact/hooks'
import { can } from '../../state/kinds.ts'
import { resources, scenario } from '../../state/simulator.ts'
import type { Kind, RuleReport } from '../../types.ts'
import type { WriteMode } from './record-body.ts'

/** A warning if the active scenario may fail or delay the call. Ignores paths, callers and addresses of its rules. */
function warningOf(method: string, operation: string): string | undefined {
  const matches = (wanted: unknown, value: string) => wanted === undefined || [wanted].flat().includes(value)
  const isOfCall = ({ when = {} }: RuleReport) =>
    !(when.edge || when.delivery) && matches(when.method, method) && matches(when.operation, operation)
  const rule = scenario.value?.rules.find(each => isOfCall(each) && (each.fault || each.rate_limit || each.latency))
  if (!rule) return undefined
  const { name } = scenario.value!
  const active = name === null ? 'A scenario is active' : `Scenario "${name}" is active`
  return `${active}. Its rule "${rule.name}" may fail or delay this request.`
}

interface Props {
  how: WriteMode
  onChange(how: WriteMode): void
  kind: Kind
  operation: 'create' | 'update' | 'delete'
  path: string
}

/** Chooses between the API and the state, if the API has the operation. */
export function WriteModeChoice({ how, onChange, kind, operation, path }: Props) {
  const name = useId()
  const route = operation === 'create' ? kind.path : `${kind.path}/{id}`
  const called = resources.value!.operations.find(each => each.kind === operation && each.path === route)
  if (!called || !can(kind, operation))
    return (
      <p class="muted small-text">
        The API has no operation for this. The change uses /_sim/db and isn't in the request log.
      </p>
    )
  const choices = [
    ['api', 'Use the API', `${called.method} ${path}. Appears in the request log.`],
    ['state', 'Bypass the API', "Uses /_sim/db. Ignores the scenario's faults. Not in the request log."],
  ] as const
  const warning = how === 'api' && warningOf(called.method, called.id)
  return (
    <fieldset class="field how">
      <legend class="hidden">Write mode</legend>
      {choices.map(([mode, label, effect]) => (
        <label key={mode} class="check">
          <input type="radio" name={name} checked={how === mode} onChange={() => onChange(mode)} />
          <span>
            {label}
            <span class="muted small-text wrap">{effect}</span>
          </span>
        </label>
      ))}
      {warning && <p class="note warn small-text">{warning}</p>}
    </fieldset>
  )
}
