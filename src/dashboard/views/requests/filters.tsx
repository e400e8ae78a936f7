import { Button } from '../../parts/button.tsx'
import { AddressCheck, SearchBox, Segments, Select, typed } from '../../parts/inputs.tsx'
import { amendQuery, place } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import { FILTER_NAMES, type Filter } from './filter.ts'

type Choices = readonly (string | readonly [value: string, text: string])[]

const Choice = ({
  name,
  label,
  any,
  choices,
}: {
  name: keyof Filter
  label: string
  any: string
  choices: Choices
}) => (
  <Select
    bare
    label={label}
    value={place.value.query[name] ?? ''}
    choices={[['', any], ...choices]}
    onChange={value => amendQuery({ [name]: value })}
  />
)

const TimeInput = ({ name, label }: { name: 'from' | 'to'; label: string }) => (
  <label class="check">
    {label}
    <input
      type="datetime-local"
      step={1}
      value={place.value.query[name] ?? ''}
      onInput={typed(value => amendQuery({ [name]: value }))}
    />
  </label>
)

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const STATUSES = [
  ['2xx', '2xx success'],
  ['3xx', '3xx redirect'],
  ['4xx', '4xx client error'],
  ['5xx', '5xx server error'],
  ['none', 'No response'],
] as const
const TIMES = [
  ['1', 'Last minute'],
  ['5', 'Last 5 minutes'],
  ['15', 'Last 15 minutes'],
  ['60', 'Last hour'],
  ['range', 'Custom range'],
] as const
const SCOPES = [
  ['', 'This sandbox'],
  ['all', 'All sandboxes'],
] as const
const GROUPS = [
  ['', 'Each request'],
  ['operation', 'By operation'],
] as const

/** A choice in the URL, without a default in it. */
const Mode = ({ name, label, choices }: { name: string; label: string; choices: typeof SCOPES | typeof GROUPS }) => (
  <Segments<string>
    label={label}
    value={place.value.query[name] ?? ''}
    choices={choices}
    onChange={value => amendQuery({ [name]: value })}
  />
)

/** What the list shows, and its filters. Both are stored in the URL. */
export function Filters({ searching }: { searching: boolean }) {
  const { query } = place.value
  const operations = (resources.value?.operations ?? []).map(({ id }) => id)
  return (
    <search class="filters">
      <Mode name="sandboxes" label="Sandboxes" choices={SCOPES} />
      <Mode name="by" label="Grouping" choices={GROUPS} />
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
      <Choice name="method" label="Method" any="Any method" choices={METHODS} />
      <Choice name="status" label="Status" any="Any status" choices={STATUSES} />
      <Choice name="operation" label="Operation" any="Any operation" choices={[...operations, ['none', 'No route']]} />
      <Choice name="time" label="Time (sandbox clock)" any="Any time" choices={TIMES} />
      {query.time === 'range' && (
        <div class="time-range">
          <TimeInput name="from" label="From (UTC)" />
          <TimeInput name="to" label="To (UTC)" />
        </div>
      )}
      <AddressCheck name="fired" on="yes" label="Rule fired" />
      <AddressCheck name="own" on="hidden" label="Hide dashboard requests" />
      {query.kind && <span class="tag">error type: {query.kind.replaceAll('_', ' ')}</span>}
      {FILTER_NAMES.some(name => query[name]) && (
        <Button
          look="quiet"
          onClick={() => amendQuery(Object.fromEntries(FILTER_NAMES.map(name => [name, undefined])))}
        >
          Clear filters
        </Button>
      )}
    </search>
  )
}
