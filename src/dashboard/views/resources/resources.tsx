import { useEffect } from 'preact/hooks'
import { Empty, Loading } from '../../parts/messages.tsx'
import { Detail } from '../../parts/section.tsx'
import { listQuery, noteOf } from '../../state/kinds.ts'
import { hrefTo, place } from '../../state/place.ts'
import { info, resources } from '../../state/simulator.ts'
import type { Kind } from '../../types.ts'
import { OpenDialog } from './batch.tsx'
import { CreateRecord } from './create-record.tsx'
import { KindList } from './kind-list.tsx'
import { RecordDetail } from './record-detail.tsx'
import { newTitle, RecordTable } from './record-table.tsx'

/** The last shown kind, which opens first the next time. */
const STORAGE_KEY = 'edgesim-kind'

function KindDetail({ kind, id, parent }: { kind: Kind; id: string; parent: string | undefined }) {
  const { table, label } = kind
  const isNew = id === 'new'
  const tag = kind.neighbour && (
    <span class="tag quiet" title={noteOf(kind)}>
      not in API reference
    </span>
  )
  return (
    <Detail
      label={isNew ? newTitle(kind) : label}
      title={isNew ? newTitle(kind) : id}
      closeHref={hrefTo(['resources', table], listQuery())}
      actions={tag}
    >
      {isNew ? (
        <CreateRecord key={`${table} ${parent} ${place.value.query.like}`} kind={kind} parent={parent} />
      ) : (
        <RecordDetail key={`${table} ${id}`} kind={kind} id={id} />
      )}
    </Detail>
  )
}

/** The table of the first request. */
const firstTable = () =>
  resources.value?.kinds.find(({ path }) => path === info.value?.api.first.path)?.table ??
  resources.value?.kinds[0]?.table ??
  ''

/** A table for every declared kind of record. */
export function Resources() {
  const kinds = info.value && resources.value?.kinds
  const [table = localStorage.getItem(STORAGE_KEY) ?? firstTable(), id, parent] = place.value.parts
  const kind = kinds?.find(each => each.table === table)
  useEffect(() => {
    if (kind) localStorage.setItem(STORAGE_KEY, table)
  }, [kind])
  if (!kinds) return <Loading />
  return (
    <div class="resources">
      <KindList kinds={kinds} kind={kind} />
      <div class={`split ${id ? 'with-detail' : ''}`}>
        <div class="split-list">
          {kind ? (
            <RecordTable key={table} kind={kind} selected={id} />
          ) : (
            <Empty icon="search" title={`Unknown resource type "${table}"`}>
              Choose one from the list.
            </Empty>
          )}
        </div>
        {kind && id && <KindDetail kind={kind} id={id} parent={parent} />}
      </div>
      <OpenDialog />
    </div>
  )
}
