import { AddressCheck, SearchBox } from '../../parts/inputs.tsx'
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

const TimeInput = ({ name, label }: { name: 'from' | 'to'; label: string }) => (
  <label class="check">
    {label}
    <input
      type="datetime-local"
      step={1}
      value={place.value.query[name] ?? ''}
      onInput={event => amendQuery({ [name]: event.currentTarget.value })}
    />
  </label>
)

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method): [string, string] => [method, method])
const STATUSES: [string, string][] = [
  ['2xx', '2xx success'],
  ['3xx', '3xx redirect'],
  ['4xx', '4xx client error'],
  ['5xx', '5xx server error'],
  ['none', 'No response'],
]
const TIMES: [string, string][] = [
  ['1', 'Last minute'],
  ['5', 'Last 5 minutes'],
  ['15', 'Last 15 minutes'],
  ['60', 'Last hour'],
  ['range', 'Custom range'],
]

/** Filters are stored in the URL. */
export function Filters({ searching }: { searching: boolean }) {
  const { query } = place.value
  const operations = (resources.value?.operations ?? []).map(({ id }): [string, string] => [id, id])
  const active = FILTER_NAMES.filter(name => query[name])
  return (
    <search class="filters">
      <SearchBox
        label="Search requests"
        placeholder="Search path, body, ID"
        text={query.text ?? ''}
        onText={text => amendQuery({ text })}
      >
        <span class="search-state muted" role="status">
          {searching && 'Searching…'}
        </span>
      </SearchBox>
      <Choice name="method" label="Method" any="Any method" options={METHODS} />
      <Choice name="status" label="Status" any="Any status" options={STATUSES} />
      <Choice name="operation" label="Operation" any="Any operation" options={[...operations, ['none', 'No route']]} />
      <Choice name="time" label="Time (sandbox clock)" any="Any time" options={TIMES} />
      {query.time === 'range' && (
        <div class="time-range">
          <TimeInput name="from" label="From (UTC)" />
          <TimeInput name="to" label="To (UTC)" />
        </div>
      )}
      <AddressCheck name="fired" on="yes" label="Rule fired" />
      <AddressCheck name="own" on="hidden" label="Hide dashboard requests" />
      <AddressCheck name="sandboxes" on="all" label="All sandboxes" />
      <AddressCheck name="by" on="operation" label="Group by operation" />
      {query.kind && <span class="tag">error type: {query.kind.replaceAll('_', ' ')}</span>}
      {active.length > 0 && (
        <button
          type="button"
          class="button quiet"
          onClick={() => amendQuery(Object.fromEntries(FILTER_NAMES.map(name => [name, undefined])))}
        >
          Clear filters
        </button>
      )}
    </search>
  )
}
