import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { modulesOf } from '../../state/kinds.ts'
import { sorted } from '../../state/lists.ts'
import { hrefTo } from '../../state/place.ts'
import { markOf } from '../../state/traffic.ts'
import type { Row } from '../../types.ts'
import { addressesOf, HostPort } from './listening.tsx'
import { isBackend, ModuleStage, titleOf } from './module-stage.tsx'

const Arrow = () => (
  <svg class="flow" viewBox="0 0 40 12" aria-hidden="true" preserveAspectRatio="none">
    <path d="M0 6h34M29 2l6 4-6 4" vector-effect="non-scaling-stroke" />
  </svg>
)

const MATCH_TYPES: Record<string, string> = { path_prefix: 'paths starting with', exact_path: 'the exact path' }

/** A record that has modules. */
type Holder = { table: string; row: Row }

/** Where the traffic comes from: the addresses of the edge, and what its route matches. */
function Source({ edge, route }: { edge: Row; route?: Holder }) {
  const addresses = addressesOf(edge)
  return (
    <div class="stage">
      <h3>
        <Icon name="requests" /> {route ? 'Requests' : 'Connections'}
      </h3>
      {route && (
        <>
          <a class="mono wrap" href={hrefTo(['resources', route.table, route.row.id])}>
            {route.row.id}
          </a>
          <p class="wrap">
            to {MATCH_TYPES[String(route.row.match_type)]} <code>{String(route.row.match)}</code>
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
    </div>
  )
}

/** If more modules are unset, they are collapsed. */
const MAX_UNSET = 2

/** The stages of the traffic, from the source to the backend. */
export function Lane({ edge, route }: { edge: Holder; route?: Holder }) {
  /** The modules with an open form. */
  const editing = useSignal<readonly string[]>([])
  const edit = (name: string, on: boolean) => {
    editing.value = [...editing.value.filter(each => each !== name), ...(on ? [name] : [])]
  }
  const holders = route ? [edge, route] : [edge]
  const stages = holders.flatMap(({ table, row }) => modulesOf(table).map(module => ({ module, row })))
  const unset = stages.filter(({ module, row }) => row[module.of.key] === undefined && !isBackend(module))
  const collapsed = unset.length > MAX_UNSET ? unset.filter(({ module }) => !editing.value.includes(module.name)) : []
  const drawn = stages.filter(stage => !collapsed.includes(stage))
  const { id } = (route ?? edge).row
  return (
    <section class={`lane ${markOf(id)}`} aria-label={id}>
      <Source edge={edge.row} route={route} />
      {sorted(drawn, ({ module }) => Number(isBackend(module))).map(({ module, row }) => (
        <Fragment key={module.name}>
          <Arrow />
          <ModuleStage
            module={module}
            row={row}
            editing={editing.value.includes(module.name)}
            onEdit={on => edit(module.name, on)}
          />
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
                onClick={() => edit(module.name, true)}
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
