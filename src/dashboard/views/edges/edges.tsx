import { Empty, Failure, Loading } from '../../parts/messages.tsx'
import { isEdge, modulesOf, partsOf, plural } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { resources, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { Pager } from '../resources/pager.tsx'
import type { Page } from '../resources/record-table.tsx'
import { EdgePicture } from './edge-picture.tsx'
import { Referred, useReferredRows } from './referred.ts'
import { Listeners, useTraffic } from './traffic.ts'
import { TypeCheck } from './type-check.tsx'

const DEFAULT_PAGE_SIZE = '25'

export function Edges() {
  const { parts, query } = place.value
  const declared = resources.value
  if (!declared) return <Loading />
  const kinds = declared.kinds.filter(isEdge)
  const kind = kinds.find(({ table }) => table === parts[0]) ?? kinds[0]!
  return (
    <>
      <nav class="tabs" aria-label="Edge types">
        {kinds.map(each => (
          <a key={each.table} href={hrefTo(['edges', each.table])} aria-current={each === kind ? 'page' : undefined}>
            {plural(each)}
          </a>
        ))}
      </nav>
      <EdgeList
        key={kind.table}
        kind={kind}
        page={query.page ?? '1'}
        per={query.per ?? DEFAULT_PAGE_SIZE}
        only={parts[1]}
      />
      <TypeCheck />
    </>
  )
}

interface ListProps {
  kind: Kind
  page: string
  per: string
  only?: string
}

function EdgeList({ kind, page, per, only }: ListProps) {
  const { table } = kind
  const path = only ? `/db/${table}/${encodeURIComponent(only)}` : `/db/${table}?_page=${page}&_per_page=${per}`
  const { data, error } = useRemote(`${sandbox.value} ${path}`, stateVersion.value, async signal => {
    if (!only) return sandboxControl<Page>('GET', path, { signal })
    return { data: [await sandboxControl<Row>('GET', path, { signal })], items: 1, pages: 1 }
  })
  const referred = useReferredRows([table, ...partsOf(table).map(part => part.table)].flatMap(modulesOf))
  const traffic = useTraffic()
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  if (data.items === 0)
    return (
      <Empty icon="edges" title={`No ${plural(kind)} yet`}>
        <p>Create one here or through the API, or load a fixture.</p>
        <p class="actions centre">
          <a class="button primary" href={hrefTo(['resources', table, 'new'])}>
            New {kind.label}
          </a>
        </p>
      </Empty>
    )
  return (
    <>
      <Referred.Provider value={referred}>
        <Listeners.Provider value={traffic.listeners}>
          <div class="edges">
            {traffic.error && <Failure error={traffic.error} />}
            {data.data.map(row => (
              <EdgePicture key={row.id} kind={kind} row={row} />
            ))}
          </div>
        </Listeners.Provider>
      </Referred.Provider>
      {data.pages > 1 && <Pager page={Number(page)} per={per} pages={data.pages} items={data.items} />}
    </>
  )
}
