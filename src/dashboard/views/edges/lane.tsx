import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { Icon } from '../../parts/icon.tsx'
import { hrefTo } from '../../state/place.ts'
import { justDecided } from '../../state/traffic.ts'
import type { ModuleInfo, Row } from '../../types.ts'
import { modulesOf } from '../resources/kinds.ts'
import { ModuleStage, Stage, titleOf } from './module-stage.tsx'

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

/** A module, and the edge or route that it is of. */
interface Place {
  module: ModuleInfo
  row: Row
}

const isSet = ({ module, row }: Place) => row[module.of.key] !== undefined
const isEnd = ({ module }: Place) => module.of.key === 'backend'

/** When more modules are not set, they are not drawn: those that act on the traffic must stand out. */
const MAX_UNSET = 2

/** What traffic passes, from left to right; the backend is last. */
export function Lane({ edge, holders }: { edge: Row; holders: Holder[] }) {
  const last = holders.at(-1)!
  /** The module that is being set for the first time. */
  const begun = useSignal<string | undefined>(undefined)
  const stages = holders.flatMap(({ table, row }) => modulesOf(table).map(module => ({ module, row })))
  const unset = stages.filter(stage => !isSet(stage) && !isEnd(stage))
  const folded = unset.length > MAX_UNSET ? unset.filter(({ module }) => module.name !== begun.value) : []
  const drawn = stages.filter(stage => !folded.includes(stage))
  const mark = justDecided.value.get(last.row.id)
  return (
    <section class={`lane ${mark ? `just-decided ${mark}` : ''}`} aria-label={last.row.id}>
      <Source edge={edge} route={holders[1]} />
      {[...drawn.filter(stage => !isEnd(stage)), ...drawn.filter(isEnd)].map(({ module, row }) => (
        <Fragment key={module.name}>
          <Arrow />
          <ModuleStage
            module={module}
            row={row}
            begun={module.name === begun.value}
            onDone={() => {
              begun.value = undefined
            }}
          />
        </Fragment>
      ))}
      {folded.length > 0 && (
        <details class="unset-modules">
          <summary class="muted">{folded.length} modules are not set: they change nothing</summary>
          <div class="actions">
            {folded.map(({ module, row }) => (
              <button
                key={module.name}
                type="button"
                class="button small-button"
                aria-label={`Set the ${module.label} of ${row.id}`}
                onClick={() => {
                  begun.value = module.name
                }}
              >
                <Icon name="plus" /> {titleOf(module)}
              </button>
            ))}
          </div>
        </details>
      )}
    </section>
  )
}
