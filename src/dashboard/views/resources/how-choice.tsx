import { useId } from 'preact/hooks'
import { resources, scenario } from '../../state/simulator.ts'
import type { Kind, RuleReport } from '../../types.ts'
import type { How } from './drafts.ts'

/** Whether a rule could make a call fail or wait. Paths, callers and addresses are not looked at. */
function couldHit({ when = {}, fault, rate_limit, latency }: RuleReport, method: string, operation: string): boolean {
  const isCall = when.edge === undefined && when.delivery === undefined
  const matches = (wanted: unknown, value: string) => wanted === undefined || [wanted].flat().includes(value)
  const meets = isCall && matches(when.method, method) && matches(when.operation, operation)
  return meets && Boolean(fault || rate_limit || latency)
}

/** What the scenario in use may do to a call. */
function warningOf({ path }: Kind, method: string): string | undefined {
  const route = method === 'POST' ? path : `${path}/{id}`
  const operation = resources.value?.operations.find(each => each.method === method && each.path === route)
  const { name, rules } = scenario.value ?? { name: null, rules: [] }
  const rule = operation && rules.find(each => couldHit(each, method, operation.id))
  if (!rule) return undefined
  const whose = name === null ? 'A scenario is in use' : `The scenario "${name}" is in use`
  return `${whose}: its rule "${rule.name}" may fail or delay this.`
}

interface Props {
  how: How
  onChange(how: How): void
  /** Whether the API can do it. */
  offered: boolean
  kind: Kind
  method: string
  path: string
}

/** Through the API, or straight in the state; said, where there is no choice. */
export function HowChoice({ how, onChange, offered, kind, method, path }: Props) {
  const name = useId()
  if (!offered)
    return (
      <p class="muted small-text">
        The API has no call for it: straight in the state, through /_sim/db; not in the journal.
      </p>
    )
  const warning = warningOf(kind, method)
  return (
    <fieldset class="field how">
      <legend class="hidden">How</legend>
      <label class="check">
        <input type="radio" name={name} checked={how === 'api'} onChange={() => onChange('api')} />
        <span>
          Through the API, as a client would
          <span class="muted small-text wrap">
            {method} {path}, in the journal like any call.
          </span>
        </span>
      </label>
      <label class="check">
        <input type="radio" name={name} checked={how === 'state'} onChange={() => onChange('state')} />
        <span>
          Straight in the state
          <span class="muted small-text">Through /_sim/db, past the scenario's faults; not in the journal.</span>
        </span>
      </label>
      {how === 'api' && warning && <p class="note warn small-text">{warning}</p>}
    </fieldset>
  )
}
