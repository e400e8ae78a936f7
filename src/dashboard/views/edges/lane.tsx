import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { Icon } from '../../parts/icon.tsx'
import { modulesOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { justDecided } from '../../state/traffic.ts'
import type { ModuleInfo, Row } from '../../types.ts'
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

const MATCH_TYPES: Record<string, string> = { path_prefix: 'paths starting with', exact_path: 'the exact path' }

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
      <p class="muted wrap">{hostports.length > 0 ? `at ${hostports.join(', ')}` : 'no address'}</p>
    </Stage>
  )
}

/** A module with its edge or route. */
interface Place {
  module: ModuleInfo
  row: Row
}

const isSet = ({ module, row }: Place) => row[module.of.key] !== undefined
const isEnd = ({ module }: Place) => module.of.key === 'backend'

/** If more modules are unset, they are collapsed. */
const MAX_UNSET = 2

/** The stages of the traffic, from the source to the backend. */
export function Lane({ edge, holders }: { edge: Row; holders: Holder[] }) {
  const last = holders.at(-1)!
  /** The unset module with an open form. */
  const adding = useSignal<string | undefined>(undefined)
  const stages = holders.flatMap(({ table, row }) => modulesOf(table).map(module => ({ module, row })))
  const unset = stages.filter(stage => !isSet(stage) && !isEnd(stage))
  const collapsed = unset.length > MAX_UNSET ? unset.filter(({ module }) => module.name !== adding.value) : []
  const drawn = stages.filter(stage => !collapsed.includes(stage))
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
            startsOpen={module.name === adding.value}
            onDone={() => {
              adding.value = undefined
            }}
          />
        </Fragment>
      ))}
      {collapsed.length > 0 && (
        <details class="unset-modules">
          <summary class="muted">{collapsed.length} modules not set</summary>
          <div class="actions">
            {collapsed.map(({ module, row }) => (
              <button
                key={module.name}
                type="button"
                class="button small-button"
                aria-label={`Set the ${module.label} of ${row.id}`}
                onClick={() => {
                  adding.value = module.name
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
