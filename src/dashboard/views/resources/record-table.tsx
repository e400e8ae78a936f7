import { Button } from '../../parts/button.tsx'
import { SearchBox } from '../../parts/inputs.tsx'
import { Empty, Failure } from '../../parts/messages.tsx'
import { type Column, type RowLink, Rows } from '../../parts/rows.tsx'
import { brief, can, listQuery, partsOf, plural } from '../../state/kinds.ts'
import { amendQuery, hrefTo, place } from '../../state/place.ts'
import { type Page, pageOf } from '../../state/records.ts'
import { useGet } from '../../state/simulator.ts'
import type { FieldInfo, Kind, Row } from '../../types.ts'
import { Pager } from './pager.tsx'
import { SelectionBar } from './remove-records.tsx'
import { PageCheck, RowCheck, toggle } from './selection.tsx'
import { draftOf } from './use-draft.ts'

/** Tables don't show secrets or multiline strings. */
const fitsCell = ({ write_only, schema }: FieldInfo) => !write_only && schema['x-lines'] !== true

/** The rows that the column widths follow. */
const MEASURED_ROWS = 200
const CHAR_PX = 7.8
/** Space for a sort icon. */
const HEADING_PX = 24

/** As wide as the content: IDs in full, other columns in proportion. */
function widthOf(name: string, rows: readonly Row[]): string {
  const longest = rows.slice(0, MEASURED_ROWS).reduce((most, row) => Math.max(most, brief(row[name]).length), 0)
  const least = Math.max(name.length * 8 + HEADING_PX, Math.min(longest, 20) * CHAR_PX)
  return name === 'id' ? `${Math.max(longest * CHAR_PX, 90)}px` : `minmax(${least}px, ${Math.max(longest, 6)}fr)`
}

/** The title of the form for a new record, and the text of the link to it. */
export const newTitle = (kind: Kind) => (can(kind, 'create') ? `New ${kind.label}` : `Add ${kind.label} to the state`)

/** The link of the row. Space selects the row. */
const IdLink = ({ kind, rows, at, link }: { kind: Kind; rows: Row[]; at: number; link: RowLink }) => (
  <>
    <a
      {...link}
      href={hrefTo(['resources', kind.table, rows[at]!.id], listQuery())}
      onKeyDown={event => {
        if (event.key !== ' ') return
        event.preventDefault()
        toggle(kind.table, rows, at, event.shiftKey)
      }}
    >
      {rows[at]!.id}
    </a>
    {draftOf(kind.table, rows[at]!.id) && <DraftMark />}
  </>
)

const DraftMark = () => (
  <span class="draft-mark" title="Unsaved changes">
    {' '}
    <span aria-hidden="true">✎</span>
    <span class="hidden">unsaved changes</span>
  </span>
)

/** Fields and lists of parts. Required fields come first, because they distinguish records. */
function columnsOf(kind: Kind, rows: Row[]): Column<Row>[] {
  const fields = kind.fields.filter(fitsCell).toSorted((a, b) => Number(b.required) - Number(a.required))
  const lists = partsOf(kind.table).map(({ part_of }) => part_of.list)
  const column = (name: string, sortable = true): Column<Row> => ({
    name,
    width: widthOf(name, rows),
    sort: sortable ? 'up' : undefined,
    class: 'clip',
    cell: row => brief(row[name]),
  })
  return [
    {
      name: 'check',
      label: <PageCheck table={kind.table} rows={rows} />,
      width: '16px',
      cell: (_row, { tabIndex }, at) => <RowCheck table={kind.table} rows={rows} at={at} tabIndex={tabIndex} />,
    },
    {
      ...column('id'),
      class: 'clip mono',
      cell: (_row, link, at) => <IdLink kind={kind} rows={rows} at={at} link={link} />,
    },
    ...fields.map(({ name, schema }) => column(name, schema.type !== 'array' && schema.type !== 'object')),
    ...lists.map(name => column(name, false)),
    ...(kind.path ? [column('created_at')] : []),
  ]
}

export function RecordTable({ kind, selected }: { kind: Kind; selected?: string }) {
  const { find, page, per = '100', sort: chosen } = place.value.query
  // Newest first, as in the API, if the records have a creation time.
  const sort = chosen ?? (kind.path ? '-created_at' : undefined)
  const path = pageOf(kind, { text: find, page, per, sort })
  const { data, error } = useGet<Page>(path)
  const rows = data?.data ?? []
  const creates = can(kind, 'create')
  return (
    <>
      <search class="filters">
        <SearchBox
          label={`Search ${plural(kind)}`}
          text={find ?? ''}
          onText={text => amendQuery({ find: text, page: undefined })}
        />
        <Button
          look={creates ? 'primary' : ''}
          icon="plus"
          href={hrefTo(['resources', kind.table, 'new'], listQuery())}
        >
          {newTitle(kind)}
          {draftOf(kind.table, 'new') && <DraftMark />}
        </Button>
      </search>
      {error && <Failure error={error} />}
      <Rows
        key={path}
        label={plural(kind)}
        class="record-rows"
        rows={rows}
        keyOf={row => row.id}
        selected={selected}
        sort={{ param: 'sort', value: sort }}
        columns={columnsOf(kind, rows)}
      />
      {data && rows.length === 0 && (
        <Empty icon="resources" title={find ? 'No matching records' : `No ${plural(kind)} yet`}>
          {find
            ? `No ID or string field contains "${find}".`
            : creates
              ? 'Create one here or through the API.'
              : "The API can't create one. Add one to the state, or load a fixture."}
        </Empty>
      )}
      <SelectionBar kind={kind} rows={rows} />
      <Pager page={Number(page ?? 1)} per={per} pages={data?.pages ?? 1} items={data?.items ?? 0} />
    </>
  )
}
