import type { ComponentChildren } from 'preact'
import { hrefTo } from '../../state/place.ts'
import type { Json, ModuleInfo, Row } from '../../types.ts'
import { ModuleStage } from './module-stage.tsx'
import { Stage } from './stage.tsx'

/** What a connection goes through, from left to right. */
function Lane({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <section class="lane" aria-label={label}>
      {children}
    </section>
  )
}

const Arrow = () => (
  <svg class="flow" viewBox="0 0 40 12" aria-hidden="true" preserveAspectRatio="none">
    <path d="M0 6h34M29 2l6 4-6 4" vector-effect="non-scaling-stroke" />
  </svg>
)

const Upstream = ({ address }: { address: unknown }) => (
  <Stage icon="box" title="Upstream">
    {address ? <code class="wrap">{String(address)}</code> : <p class="muted">none</p>}
  </Stage>
)

const words: Record<string, string> = { path_prefix: 'paths that begin with', exact_path: 'the path' }

function Source({ row, route }: { row: Row; route?: Json & { id: string } }) {
  return (
    <Stage icon="requests" title={route ? 'Requests' : 'Connections'}>
      {route && (
        <p class="wrap">
          to {words[String(route.match_type)] ?? String(route.match_type ?? '')}{' '}
          <code>{String(route.match ?? '/')}</code>
        </p>
      )}
      <p class="muted wrap">{row.listen ? `at ${row.listen}` : 'no listen address: settings only'}</p>
    </Stage>
  )
}

/** Source, what the modules do, upstream: one lane for the edge, or one for each of its routes. */
export function EdgePicture({ table, row, modules }: { table: string; row: Row; modules: ModuleInfo[] }) {
  const ofEdge = modules.filter(({ of }) => !of.part)
  const ofPart = modules.filter(({ of }) => of.part)
  const part = ofPart[0]?.of.part
  const routes = part ? ((row[part] as (Json & { id: string })[] | undefined) ?? []) : []
  const stage = (module: ModuleInfo, holder: Json, ids: string[]) => (
    <>
      <ModuleStage key={module.name} module={module} value={holder[module.of.key] as Json | undefined} ids={ids} />
      <Arrow />
    </>
  )
  return (
    <article class="card edge" aria-label={row.id}>
      <div class="card-head">
        <h2 class="mono">
          <a href={hrefTo(['resources', table, row.id])}>{row.id}</a>
        </h2>
        <p class="muted clip">{String(row.description ?? '')}</p>
      </div>
      {!part && (
        <Lane label={row.id}>
          <Source row={row} />
          <Arrow />
          {ofEdge.map(module => stage(module, row, [row.id]))}
          <Upstream address={row.upstream} />
        </Lane>
      )}
      {routes.map(route => (
        <Lane key={route.id} label={route.id}>
          <Source row={row} route={route} />
          <Arrow />
          {ofEdge.map(module => stage(module, row, [row.id]))}
          {ofPart.map(module => stage(module, route, [row.id, route.id]))}
          <Upstream address={route.upstream} />
        </Lane>
      ))}
      {part && routes.length === 0 && <p class="muted">It has no routes: nothing gets through.</p>}
    </article>
  )
}
