import { Button } from '../../parts/button.tsx'
import { Empty, Failure, Loaded, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { isEdge, partsOf, plural } from '../../state/kinds.ts'
import { hrefTo, place } from '../../state/place.ts'
import { type Page, pageOf, storedAt } from '../../state/records.ts'
import { resources, useGet } from '../../state/simulator.ts'
import { markOf } from '../../state/traffic.ts'
import type { Kind, Row } from '../../types.ts'
import { Pager } from '../resources/pager.tsx'
import { CheckForm, Decisions } from './decisions.tsx'
import { EdgeData, useEdgeData } from './edge-data.ts'
import { Lane } from './lane.tsx'
import { Listening } from './listening.tsx'

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
  const loaded = useGet<Row | Page>(only ? storedAt(kind, only) : pageOf(kind, { page, per }))
  const edgeData = useEdgeData(kind)
  return (
    <Loaded from={loaded}>
      {found => {
        const { data, items, pages } = only ? { data: [found as Row], items: 1, pages: 1 } : (found as Page)
        if (items === 0)
          return (
            <Empty icon="edges" title={`No ${plural(kind)} yet`}>
              <p>Create one here or through the API, or load a fixture.</p>
              <p class="actions centre">
                <Button look="primary" href={hrefTo(['resources', kind.table, 'new'])}>
                  New {kind.label}
                </Button>
              </p>
            </Empty>
          )
        return (
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
      }}
    </Loaded>
  )
}

/** Draws an edge from source to backend: one lane for the edge, or one per route. */
function EdgePicture({ kind, row }: { kind: Kind; row: Row }) {
  const [part] = partsOf(kind.table)
  const listed = part && ((row[part.part_of.list] ?? []) as Row[])
  const routes = part && listed?.map(route => ({ table: part.table, row: { ...route, [part.part_of.by]: row.id } }))
  const edge = { table: kind.table, row }
  // A request without a matching route highlights the edge.
  const mark = part ? markOf(row.id) : ''
  return (
    <article class={`card edge ${mark}`} aria-label={row.id}>
      <div class="card-head">
        <h2 class="mono">
          <a href={hrefTo(['resources', kind.table, row.id])}>{row.id}</a>
        </h2>
        <p class="muted clip grow">{String(row.description ?? '')}</p>
        {part && (
          <Button look="small-button" icon="plus" href={hrefTo(['resources', part.table, 'new', row.id])}>
            Add route<span class="hidden"> to {row.id}</span>
          </Button>
        )}
      </div>
      <Listening kind={kind} edge={row} />
      {routes?.map(route => <Lane key={route.row.id} edge={edge} route={route} />) ?? <Lane edge={edge} />}
      {routes?.length === 0 && <p class="muted">No routes yet. Every request gets 404.</p>}
      <Decisions edge={row.id} />
      <details class="edge-check">
        <summary>
          Check a {part ? 'request' : 'connection'}
          <span class="hidden"> to {row.id}</span>
        </summary>
        <CheckForm edge={row.id} acceptsRequests={part !== undefined} />
      </details>
    </article>
  )
}
