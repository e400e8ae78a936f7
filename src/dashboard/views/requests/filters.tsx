import { capital } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { AddressCheck, SearchBox, Segments, Select, typed } from '../../parts/inputs.tsx'
import { amendQuery, place } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import { FILTER_NAMES, isFiltered } from './entries.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const STATUSES = [
  ['', 'Any status'],
  ['2xx', '2xx success'],
  ['3xx', '3xx redirect'],
  ['4xx', '4xx client error'],
  ['5xx', '5xx server error'],
  ['none', 'No response'],
] as const
const TIMES = [
  ['', 'Any time'],
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

/** The value of an input in the URL, and the handler that updates it. */
const inQuery = (name: string) => ({
  value: place.value.query[name] ?? '',
  onChange: (value: string) => amendQuery({ [name]: value }),
})

/** What the list shows, and its filters. Both are stored in the URL. */
export function Filters({ searching }: { searching: boolean }) {
  const { query } = place.value
  const operations = (resources.value?.operations ?? []).map(({ id }) => id)
  const text = inQuery('text')
  return (
    <search class="filters">
      <Segments<string> label="Sandboxes" choices={SCOPES} {...inQuery('sandboxes')} />
      <Segments<string> label="Grouping" choices={GROUPS} {...inQuery('by')} />
      <SearchBox label="Search requests" placeholder="Search path, body, ID" text={text.value} onText={text.onChange}>
        <span class="search-state muted" role="status">
          {searching && 'Searching…'}
        </span>
      </SearchBox>
      <Select bare label="Method" choices={[['', 'Any method'], ...METHODS]} {...inQuery('method')} />
      <Select<string> bare label="Status" choices={STATUSES} {...inQuery('status')} />
      <Select
        bare
        label="Operation"
        choices={[['', 'Any operation'], ...operations, ['none', 'No route']]}
        {...inQuery('operation')}
      />
      <Select<string> bare label="Time (sandbox clock)" choices={TIMES} {...inQuery('time')} />
      {query.time === 'range' && (
        <div class="time-range">
          {['from', 'to'].map(name => (
            <label key={name} class="check">
              {capital(name)} (UTC)
              <input
                type="datetime-local"
                step={1}
                value={query[name]}
                onInput={typed(value => amendQuery({ [name]: value }))}
              />
            </label>
          ))}
        </div>
      )}
      <AddressCheck name="fired" on="yes" label="Rule fired" />
      <AddressCheck name="own" on="hidden" label="Hide dashboard requests" />
      {query.kind && <span class="tag">error type: {query.kind.replaceAll('_', ' ')}</span>}
      {isFiltered(query) && (
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
