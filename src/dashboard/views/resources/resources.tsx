import { Icon } from '../../parts/icon.tsx'
import { Empty, Loading } from '../../parts/messages.tsx'
import { hrefTo, place } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import type { Kind } from '../../types.ts'
import { CreateRecord } from './create-record.tsx'
import { plural } from './labels.ts'
import { RecordDetail } from './record-detail.tsx'
import { RecordTable } from './record-table.tsx'

const noteOf = ({ path, neighbour, section }: Kind) => {
  if (!path) return 'Only in the state: the API has no routes for it'
  return neighbour ? `Not in the API's document: docs/api.md ${section}` : undefined
}

/** A table for every kind of record that is declared, whatever kinds those are. */
export function Resources() {
  const { parts, query } = place.value
  const declared = resources.value
  if (!declared) return <Loading />
  const kinds = [...declared.kinds.filter(({ path }) => path), ...declared.kinds.filter(({ path }) => !path)]
  const [table = kinds[0]!.table, id, parent] = parts
  const kind = kinds.find(each => each.table === table)
  const creating = id === 'new'
  return (
    <div class={`split ${id ? 'with-detail' : ''}`}>
      <div class="split-list">
        <nav class="tabs" aria-label="Kinds of records">
          {kinds.map(each => (
            <a
              key={each.table}
              href={hrefTo(['resources', each.table])}
              aria-current={each.table === table ? 'page' : undefined}
              title={noteOf(each)}
            >
              {plural(each)}
            </a>
          ))}
        </nav>
        {kind ? (
          <RecordTable key={kind.table} kind={kind} selected={id} />
        ) : (
          <Empty icon="search" title={`There is no kind of record "${table}"`} />
        )}
      </div>
      {kind && id && (
        <aside class="detail" aria-label={creating ? `New ${kind.label}` : kind.label}>
          <div class="detail-head">
            <a class="button quiet back" href={hrefTo(['resources', table], query)}>
              <Icon name="cross" /> <span>Close</span>
            </a>
            <p class="mono clip grow">{creating ? `New ${kind.label}` : id}</p>
            {kind.neighbour && (
              <span class="tag quiet" title={noteOf(kind)}>
                neighbour
              </span>
            )}
          </div>
          {creating ? (
            <CreateRecord key={`${table} ${parent}`} kind={kind} parent={parent} />
          ) : (
            <RecordDetail key={`${table} ${id}`} kind={kind} id={id} />
          )}
        </aside>
      )}
    </div>
  )
}
