import { Button } from '../../parts/button.tsx'
import { Empty, Failure, Loaded, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { isEdge, plural } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, place, sandbox } from '../../state/place.ts'
import { type Page, pageOf } from '../../state/records.ts'
import { useRemote } from '../../state/remote.ts'
import { resources, sandboxControl } from '../../state/simulator.ts'
import type { Kind, Row } from '../../types.ts'
import { Pager } from '../resources/pager.tsx'
import { CheckForm } from './check-form.tsx'
import { EdgeData, useEdgeData } from './edge-data.ts'
import { EdgePicture } from './edge-picture.tsx'

export function Edges() {
  const kinds = resources.value?.kinds.filter(isEdge)
  if (!kinds) return <Loading />
  const [table, only] = place.value.parts
  const kind = kinds.find(each => each.table === table) ?? kinds[0]!
  return (
    <>
      <nav class="tabs" aria-label="Edge types">
        {kinds.map(each => (
          <a key={each.table} href={hrefTo(['edges', each.table])} aria-current={each === kind ? 'page' : undefined}>
            {plural(each)}
          </a>
        ))}
      </nav>
      <EdgeList key={kind.table} kind={kind} only={only} />
      <Section title="Check IP restrictions by type" class="type-check">
        <CheckForm />
      </Section>
    </>
  )
}

/** A page of edges, or one edge. */
function EdgeList({ kind, only }: { kind: Kind; only?: string }) {
  const { page = '1', per = '25' } = place.value.query
  const path = only ? `/db/${kind.table}/${encodeURIComponent(only)}` : pageOf(kind, { page, per })
  const edges = useRemote(`${sandbox.value} ${path}`, stateVersion.value, async (signal): Promise<Page> => {
    if (!only) return sandboxControl<Page>('GET', path, { signal })
    return { data: [await sandboxControl<Row>('GET', path, { signal })], items: 1, pages: 1 }
  })
  const edgeData = useEdgeData(kind)
  return (
    <Loaded from={edges}>
      {({ data, items, pages }) =>
        items === 0 ? (
          <Empty icon="edges" title={`No ${plural(kind)} yet`}>
            <p>Create one here or through the API, or load a fixture.</p>
            <p class="actions centre">
              <Button look="primary" href={hrefTo(['resources', kind.table, 'new'])}>
                New {kind.label}
              </Button>
            </p>
          </Empty>
        ) : (
          <EdgeData.Provider value={edgeData}>
            <div class="edges">
              {edgeData.error && <Failure error={edgeData.error} />}
              {data.map(row => (
                <EdgePicture key={row.id} kind={kind} row={row} />
              ))}
            </div>
            {pages > 1 && <Pager page={Number(page)} per={per} pages={pages} items={items} />}
          </EdgeData.Provider>
        )
      }
    </Loaded>
  )
}
