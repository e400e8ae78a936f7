import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { Button } from '../../parts/button.tsx'
import { modulesOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { setter } from '../../state/signals.ts'
import { justDecided } from '../../state/traffic.ts'
import type { ModuleInfo, Row } from '../../types.ts'
import { addressesOf, HostPort } from './listening.tsx'
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
  const addresses = addressesOf(edge)
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
      {addresses.map((address, i) => (
        <p key={address} class="muted">
          {i === 0 && 'at '}
          <HostPort text={address} />
        </p>
      ))}
      {addresses.length === 0 && <p class="muted">no address</p>}
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
  const { row } = holders.at(-1)!
  /** The unset module with an open form. */
  const adding = useSignal<string | undefined>(undefined)
  const stages = holders.flatMap(({ table, row }) => modulesOf(table).map(module => ({ module, row })))
  const unset = stages.filter(stage => !isSet(stage) && !isEnd(stage))
  const collapsed = unset.length > MAX_UNSET ? unset.filter(({ module }) => module.name !== adding.value) : []
  const drawn = stages
    .filter(stage => !collapsed.includes(stage))
    .toSorted((a, b) => Number(isEnd(a)) - Number(isEnd(b)))
  const mark = justDecided.value.get(row.id)
  return (
    <section class={`lane ${mark ? `just-decided ${mark}` : ''}`} aria-label={row.id}>
      <Source edge={edge} route={holders[1]} />
      {drawn.map(stage => (
        <Fragment key={stage.module.name}>
          <Arrow />
          <ModuleStage {...stage} startsOpen={stage.module.name === adding.value} onDone={setter(adding, undefined)} />
        </Fragment>
      ))}
      {collapsed.length > 0 && (
        <details class="unset-modules">
          <summary class="muted">{collapsed.length} modules not set</summary>
          <div class="actions">
            {collapsed.map(({ module, row }) => (
              <Button
                key={module.name}
                look="small-button"
                icon="plus"
                label={`Set the ${module.label} of ${row.id}`}
                onClick={setter(adding, module.name)}
              >
                {titleOf(module)}
              </Button>
            ))}
          </div>
        </details>
      )}
    </section>
  )
}
