import { Fragment } from 'preact'
import { hrefTo } from '../../state/place.ts'
import { justDecided } from '../../state/traffic.ts'
import type { Row } from '../../types.ts'
import { modulesOf } from '../resources/kinds.ts'
import { ModuleStage, Stage } from './module-stage.tsx'

/** A record that has modules: an edge or a route. */
interface Holder {
  table: string
  row: Row
}

const Arrow = () => (
  <svg class="flow" viewBox="0 0 40 12" aria-hidden="true" preserveAspectRatio="none">
    <path d="M0 6h34M29 2l6 4-6 4" vector-effect="non-scaling-stroke" />
  </svg>
)

const MATCH_TYPES: Record<string, string> = { path_prefix: 'paths that begin with', exact_path: 'the path' }

function Source({ edge, route }: { edge: Row; route?: Holder }) {
  const { hostports = [] } = edge as { hostports?: string[] }
  return (
    <Stage icon="requests" title={route ? 'Requests' : 'Connections'}>
      {route && (
        <>
          <a class="mono wrap" href={hrefTo(['resources', route.table, route.row.id])}>
            {route.row.id}
          </a>
          <p class="wrap">
            to {MATCH_TYPES[String(route.row.match_type)] ?? String(route.row.match_type)}{' '}
            <code>{String(route.row.match)}</code>
          </p>
        </>
      )}
      <p class="muted wrap">{hostports.length > 0 ? `at ${hostports.join(', ')}` : 'at no address'}</p>
    </Stage>
  )
}

/** What traffic passes, from left to right; the backend is last. */
export function Lane({ edge, holders }: { edge: Row; holders: Holder[] }) {
  const last = holders.at(-1)!
  const stages = holders.flatMap(({ table, row }) => modulesOf(table).map(module => ({ module, row })))
  const mark = justDecided.value.get(last.row.id)
  const isEnd = ({ module }: (typeof stages)[number]) => module.of.key === 'backend'
  return (
    <section class={`lane ${mark ? `just-decided ${mark}` : ''}`} aria-label={last.row.id}>
      <Source edge={edge} route={holders[1]} />
      {[...stages.filter(stage => !isEnd(stage)), ...stages.filter(isEnd)].map(({ module, row }) => (
        <Fragment key={module.name}>
          <Arrow />
          <ModuleStage module={module} row={row} />
        </Fragment>
      ))}
    </section>
  )
}
