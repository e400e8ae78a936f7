import { Icon } from '../../parts/icon.tsx'
import { Empty, Failure } from '../../parts/messages.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { stateVersion } from '../../state/live.ts'
import { amendQuery, hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { FieldInfo, Kind, Row } from '../../types.ts'
import { can, partsOf } from './kinds.ts'
import { brief, plural } from './labels.ts'
import { Pager } from './pager.tsx'

export interface Page {
  items: number
  pages: number
  data: Row[]
}

const DEFAULT_PAGE_SIZE = '100'

interface Column {
  name: string
  sortable: boolean
  width: string
}

/** A secret is in no table, and of a text of many lines a cell would show only how it begins. */
const fitsCell = ({ write_only, schema }: FieldInfo) => !write_only && schema['x-lines'] !== true

/** What must be given tells records apart, so it comes first. */
const byWeight = (fields: FieldInfo[]) => fields.toSorted((a, b) => Number(b.required) - Number(a.required))

function columnsOf({ fields, table, path }: Kind): Column[] {
  return [
    { name: 'id', sortable: true, width: 'minmax(190px, 1.3fr)' },
    ...byWeight(fields.filter(fitsCell)).map(({ name, schema }) => ({
      name,
      sortable: schema.type !== 'array' && schema.type !== 'object',
      width: schema.type === 'boolean' ? '96px' : 'minmax(120px, 1fr)',
    })),
    ...partsOf(table).map(({ part_of }) => ({ name: part_of.list, sortable: false, width: '96px' })),
    ...(path ? [{ name: 'created_at', sortable: true, width: '180px' }] : []),
  ]
}

/** Newest first, like the lists of the API, if the records have a time. */
const sortOf = (kind: Kind, query: Record<string, string>) => query.sort ?? (kind.path ? '-created_at' : undefined)

/** The path with a query in json-server's language: the simulator searches, sorts and pages. */
function pathOf(kind: Kind, query: Record<string, string>): string {
  const asked = new URLSearchParams({ _page: query.page ?? '1', _per_page: query.per ?? DEFAULT_PAGE_SIZE })
  const sort = sortOf(kind, query)
  if (sort) asked.set('_sort', sort)
  if (query.find) {
    const texts = ['id', ...kind.fields.filter(({ schema }) => schema.type === 'string').map(({ name }) => name)]
    asked.set('_where', JSON.stringify({ or: texts.map(name => ({ [name]: { contains: query.find } })) }))
  }
  return `/db/${kind.table}?${asked}`
}

function Heading({ column, sort }: { column: Column; sort: string | undefined }) {
  const up = sort === column.name
  const down = sort === `-${column.name}`
  const label = column.name.replaceAll('_', ' ')
  if (!column.sortable) return <span role="columnheader">{label}</span>
  return (
    <span role="columnheader" aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button
        type="button"
        class="sort"
        onClick={() => amendQuery({ page: undefined, sort: up ? `-${column.name}` : column.name })}
      >
        {label} {up && <Icon name="up" />}
        {down && <Icon name="down" />}
      </button>
    </span>
  )
}

export function RecordTable({ kind, selected }: { kind: Kind; selected?: string }) {
  const { query } = place.value
  const question = pathOf(kind, query)
  const { data, error } = useRemote(`${sandbox.value} ${question}`, stateVersion.value, signal =>
    sandboxControl<Page>('GET', question, { signal }),
  )
  const columns = columnsOf(kind)
  const rows = data?.data ?? []
  const creates = can(kind, 'create')
  return (
    <>
      <search class="filters">
        <label class="search-box">
          <span class="hidden">Search {plural(kind)}</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder={`Search ${plural(kind)}`}
            value={query.find ?? ''}
            onInput={event => amendQuery({ find: event.currentTarget.value, page: undefined })}
          />
        </label>
        <a class={`button ${creates ? 'primary' : ''}`} href={hrefTo(['resources', kind.table, 'new'], query)}>
          <Icon name="plus" /> {creates ? `New ${kind.label}` : `Add ${kind.label} to the state`}
        </a>
      </search>
      {error && <Failure error={error} />}
      <VirtualRows
        key={question}
        label={plural(kind)}
        class="record-rows"
        columns={columns.map(({ width }) => width).join(' ')}
        count={rows.length}
        rowHeight={34}
        keyOf={i => rows[i]!.id}
        selected={selected}
        head={columns.map(column => <Heading key={column.name} column={column} sort={sortOf(kind, query)} />)}
        row={(i, tabIndex) =>
          columns.map(({ name }) => (
            <span key={name} role="cell" class={`clip ${name === 'id' ? 'mono' : ''}`}>
              {name === 'id' ? (
                <a href={hrefTo(['resources', kind.table, rows[i]!.id], query)} data-row-link tabIndex={tabIndex}>
                  {rows[i]!.id}
                </a>
              ) : (
                brief(rows[i]![name])
              )}
            </span>
          ))
        }
      />
      {data && rows.length === 0 && (
        <Empty icon="resources" title={query.find ? 'Nothing found' : `No ${plural(kind)}`}>
          {query.find
            ? `No id or text holds "${query.find}".`
            : creates
              ? 'Create one here, or over the API.'
              : 'A fixture has them. The API cannot create one; you can add one to the state.'}
        </Empty>
      )}
      <Pager
        page={Number(query.page ?? 1)}
        per={query.per ?? DEFAULT_PAGE_SIZE}
        pages={data?.pages ?? 1}
        items={data?.items ?? 0}
      />
    </>
  )
}
