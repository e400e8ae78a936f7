import { Icon } from '../../parts/icon.tsx'
import { amendQuery, place } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import { FILTER_NAMES, type Filter } from './filter.ts'

interface ChoiceProps {
  name: keyof Filter
  label: string
  any: string
  options: [value: string, label: string][]
}

function Choice({ name, label, any, options }: ChoiceProps) {
  return (
    <label>
      <span class="hidden">{label}</span>
      <select
        value={place.value.query[name] ?? ''}
        onChange={event => amendQuery({ [name]: event.currentTarget.value })}
      >
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method): [string, string] => [method, method])
const STATUSES: [string, string][] = [
  ['2xx', '2xx done'],
  ['3xx', '3xx'],
  ['4xx', '4xx refused'],
  ['5xx', '5xx failed'],
  ['none', 'No answer'],
]

/** Filters are kept in the address, so that a reload or a link shows the same. */
export function Filters() {
  const { query } = place.value
  const operations = (resources.value?.operations ?? []).map(({ id }): [string, string] => [id, id])
  const active = FILTER_NAMES.filter(name => query[name])
  return (
    <search class="filters">
      <label class="search-box">
        <span class="hidden">Search the journal</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Path, id, caller, address"
          value={query.text ?? ''}
          onInput={event => amendQuery({ text: event.currentTarget.value })}
        />
      </label>
      <Choice name="method" label="Method" any="Any method" options={METHODS} />
      <Choice name="status" label="Status" any="Any status" options={STATUSES} />
      <Choice name="operation" label="Operation" any="Any operation" options={[...operations, ['none', 'No route']]} />
      <label class="check">
        <input
          type="checkbox"
          checked={query.fired === 'yes'}
          onChange={event => amendQuery({ fired: event.currentTarget.checked ? 'yes' : undefined })}
        />
        A rule fired
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={query.own === 'hidden'}
          onChange={event => amendQuery({ own: event.currentTarget.checked ? 'hidden' : undefined })}
        />
        Hide this page's
      </label>
      {query.kind && <span class="tag">kind: {query.kind.replaceAll('_', ' ')}</span>}
      {active.length > 0 && (
        <button
          type="button"
          class="button quiet"
          onClick={() => amendQuery(Object.fromEntries(FILTER_NAMES.map(name => [name, undefined])))}
        >
          Clear
        </button>
      )}
    </search>
  )
}
