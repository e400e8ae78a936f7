import { Icon } from '../../parts/icon.tsx'
import { Empty, Loading } from '../../parts/messages.tsx'
import { can, listQuery, noteOf } from '../../state/kinds.ts'
import { hrefTo, place } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import { BatchDialog } from './batch.tsx'
import { CreateRecord } from './create-record.tsx'
import { KindList } from './kind-list.tsx'
import { RecordDetail } from './record-detail.tsx'
import { RecordTable } from './record-table.tsx'
import { RemoveConfirmation } from './remove-records.tsx'

/** A table for every declared kind of record. */
export function Resources() {
  const { parts, query } = place.value
  const declared = resources.value
  if (!declared) return <Loading />
  const { kinds } = declared
  const [table = (kinds.find(({ path }) => path) ?? kinds[0]!).table, id, parent] = parts
  const kind = kinds.find(each => each.table === table)
  const creating = id === 'new'
  const title = kind && (can(kind, 'create') ? `New ${kind.label}` : `Add ${kind.label} to the state`)
  return (
    <div class="resources">
      <KindList kinds={kinds} kind={kind} />
      <div class={`split ${id ? 'with-detail' : ''}`}>
        <div class="split-list">
          {kind ? (
            <RecordTable key={kind.table} kind={kind} selected={id} />
          ) : (
            <Empty icon="search" title={`Unknown resource type "${table}"`}>
              Choose one from the list.
            </Empty>
          )}
        </div>
        {kind && id && (
          <aside class="detail" aria-label={creating ? title : kind.label}>
            <div class="detail-head">
              <a class="button quiet back" href={hrefTo(['resources', table], listQuery())}>
                <Icon name="cross" /> <span>Close</span>
              </a>
              <p class="mono clip grow">{creating ? title : id}</p>
              {kind.neighbour && (
                <span class="tag quiet" title={noteOf(kind)}>
                  not in API reference
                </span>
              )}
            </div>
            {creating ? (
              <CreateRecord key={`${table} ${parent} ${query.like}`} kind={kind} parent={parent} />
            ) : (
              <RecordDetail key={`${table} ${id}`} kind={kind} id={id} />
            )}
          </aside>
        )}
      </div>
      <RemoveConfirmation />
      <BatchDialog />
    </div>
  )
}
