import { Icon } from '../../parts/icon.tsx'
import { SearchBox } from '../../parts/inputs.tsx'
import { Empty, Failure } from '../../parts/messages.tsx'
import { type RowLink, Rows } from '../../parts/rows.tsx'
import { brief, can, listQuery, partsOf, plural } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { amendQuery, hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { FieldInfo, Kind, Row } from '../../types.ts'
import { useDebounced } from './batch.tsx'
import { draftOf } from './drafts.ts'
import { Pager } from './pager.tsx'
import { PageCheck, RowCheck } from './row-check.tsx'
import { selectionOf, toggle } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'

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

/** Tables don't show secrets or multiline strings. */
const fitsCell = ({ write_only, schema }: FieldInfo) => !write_only && schema['x-lines'] !== true

/** Required fields come first, because they distinguish records. */
const requiredFirst = (fields: FieldInfo[]) => fields.toSorted((a, b) => Number(b.required) - Number(a.required))

/** Wide enough for the field name and the sort icon. */
const widthOf = (name: string, least: number) => `${Math.max(least, name.length * 8 + 24)}px`

function columnsOf({ fields, table, path }: Kind): Column[] {
  return [
    { name: 'id', sortable: true, width: 'minmax(190px, 1.3fr)' },
    ...requiredFirst(fields.filter(fitsCell)).map(({ name, schema }) => ({
      name,
      sortable: schema.type !== 'array' && schema.type !== 'object',
      width: schema.type === 'boolean' ? widthOf(name, 96) : `minmax(${widthOf(name, 120)}, 1fr)`,
    })),
    ...partsOf(table).map(({ part_of }) => ({ name: part_of.list, sortable: false, width: '96px' })),
    ...(path ? [{ name: 'created_at', sortable: true, width: '180px' }] : []),
  ]
}

/** Newest first, as in the API, if the records have a creation time. */
const sortOf = (kind: Kind, query: Record<string, string>) => query.sort ?? (kind.path ? '-created_at' : undefined)

/** The path with a json-server query: the simulator searches, sorts and paginates. */
function pathOf(kind: Kind, query: Record<string, string>): string {
  const params = new URLSearchParams({ _page: query.page ?? '1', _per_page: query.per ?? DEFAULT_PAGE_SIZE })
  const sort = sortOf(kind, query)
  if (sort) params.set('_sort', sort)
  if (query.find) {
    const texts = ['id', ...kind.fields.filter(({ schema }) => schema.type === 'string').map(({ name }) => name)]
    params.set('_where', JSON.stringify({ or: texts.map(name => ({ [name]: { contains: query.find } })) }))
  }
  return `/db/${kind.table}?${params}`
}

/** The link of the row. Space selects the row. */
function IdLink({ kind, rows, at, tabIndex }: { kind: Kind; rows: Row[]; at: number; tabIndex: number }) {
  const { id } = rows[at]!
  return (
    <>
      <a
        href={hrefTo(['resources', kind.table, id], listQuery())}
        data-row-link
        tabIndex={tabIndex}
        onKeyDown={event => {
          if (event.key !== ' ') return
          event.preventDefault()
          toggle(kind.table, rows, at, event.shiftKey)
        }}
      >
        {id}
      </a>
      {draftOf(kind.table, id) && <DraftMark />}
    </>
  )
}

const DraftMark = () => (
  <span class="draft-mark" title="Unsaved changes">
    {' '}
    <span aria-hidden="true">✎</span>
    <span class="hidden">unsaved changes</span>
  </span>
)

export function RecordTable({ kind, selected }: { kind: Kind; selected?: string }) {
  const { query } = place.value
  const path = pathOf(kind, query)
  const { data, error } = useRemote(`${sandbox.value} ${path}`, useDebounced(stateVersion.value), signal =>
    sandboxControl<Page>('GET', path, { signal }),
  )
  const columns = columnsOf(kind)
  const rows = data?.data ?? []
  const creates = can(kind, 'create')
  const chosen = selectionOf(kind.table)
  return (
    <>
      <search class="filters">
        <SearchBox
          label={`Search ${plural(kind)}`}
          text={query.find ?? ''}
          onText={find => amendQuery({ find, page: undefined })}
        />
        <a class={`button ${creates ? 'primary' : ''}`} href={hrefTo(['resources', kind.table, 'new'], listQuery())}>
          <Icon name="plus" /> {creates ? `New ${kind.label}` : `Add ${kind.label} to the state`}
          {draftOf(kind.table, 'new') && <DraftMark />}
        </a>
      </search>
      {error && <Failure error={error} />}
      <Rows
        key={path}
        label={plural(kind)}
        class="record-rows"
        rows={rows}
        keyOf={row => row.id}
        selected={selected}
        sort={{ param: 'sort', value: sortOf(kind, query) }}
        columns={[
          {
            name: 'check',
            label: <PageCheck table={kind.table} rows={rows} chosen={chosen} />,
            width: '16px',
            cell: (_row, { tabIndex }, at) => (
              <RowCheck table={kind.table} rows={rows} at={at} chosen={chosen} tabIndex={tabIndex} />
            ),
          },
          ...columns.map(({ name, sortable, width }) => ({
            name,
            width,
            sort: sortable ? ('up' as const) : undefined,
            class: `clip ${name === 'id' ? 'mono' : ''}`,
            cell: (row: Row, { tabIndex }: RowLink, at: number) =>
              name === 'id' ? <IdLink kind={kind} rows={rows} at={at} tabIndex={tabIndex} /> : brief(row[name]),
          })),
        ]}
      />
      {data && rows.length === 0 && (
        <Empty icon="resources" title={query.find ? 'No matching records' : `No ${plural(kind)} yet`}>
          {query.find
            ? `No ID or string field contains "${query.find}".`
            : creates
              ? 'Create one here or through the API.'
              : "The API can't create one. Add one to the state, or load a fixture."}
        </Empty>
      )}
      <SelectionBar kind={kind} chosen={chosen} rows={rows} />
      <Pager
        page={Number(query.page ?? 1)}
        per={query.per ?? DEFAULT_PAGE_SIZE}
        pages={data?.pages ?? 1}
        items={data?.items ?? 0}
      />
    </>
  )
}
