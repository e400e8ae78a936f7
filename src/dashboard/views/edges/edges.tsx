import { Empty, Failure, Loading } from '../../parts/empty.tsx'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { here, resources } from '../../state/simulator.ts'
import type { ModuleInfo, Row } from '../../types.ts'
import { plural } from '../resources/labels.ts'
import { Pager } from '../resources/pager.tsx'
import type { Page } from '../resources/record-table.tsx'
import { EdgePicture } from './edge-picture.tsx'
import { Referred, useReferredRows } from './referred.ts'

const USUAL_PAGE = '25'

/** Edges are the kinds that carry modules. */
export function Edges() {
  const { parts, query } = place.value
  const declared = resources.value
  if (!declared) return <Loading />
  const kinds = declared.kinds.filter(({ table }) => declared.modules.some(({ of }) => of.table === table))
  const table = parts[0] && kinds.some(kind => kind.table === parts[0]) ? parts[0] : kinds[0]!.table
  return (
    <>
      <nav class="tabs" aria-label="Kinds of edges">
        {kinds.map(kind => (
          <a
            key={kind.table}
            href={hrefTo(['edges', kind.table])}
            aria-current={kind.table === table ? 'page' : undefined}
          >
            {plural(kind)}
          </a>
        ))}
      </nav>
      <EdgeList
        key={table}
        table={table}
        modules={declared.modules.filter(({ of }) => of.table === table)}
        page={query.page ?? '1'}
        per={query.per ?? USUAL_PAGE}
        only={parts[1]}
      />
    </>
  )
}

interface ListProps {
  table: string
  modules: ModuleInfo[]
  page: string
  per: string
  only?: string
}

function EdgeList({ table, modules, page, per, only }: ListProps) {
  const question = only ? `/db/${table}/${encodeURIComponent(only)}` : `/db/${table}?_page=${page}&_per_page=${per}`
  const { data, error } = useRemote(`${sandbox.value} ${question}`, stateVersion.value, async signal => {
    if (!only) return here<Page>('GET', question, { signal })
    return { data: [await here<Row>('GET', question, { signal })], items: 1, pages: 1 }
  })
  const referred = useReferredRows(modules)
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  if (data.items === 0)
    return (
      <Empty icon="edges" title="No edges of this kind">
        <p>
          Edges come from the fixture, or are made under <a href={hrefTo(['resources', table, 'new'])}>Resources</a>.
        </p>
      </Empty>
    )
  return (
    <>
      <Referred.Provider value={referred}>
        <div class="edges">
          {data.data.map(row => (
            <EdgePicture key={row.id} table={table} row={row} modules={modules} />
          ))}
        </div>
      </Referred.Provider>
      {data.pages > 1 && <Pager page={Number(page)} per={per} pages={data.pages} items={data.items} />}
    </>
  )
}
