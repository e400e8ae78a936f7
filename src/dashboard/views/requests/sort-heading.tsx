import { Icon } from '../../parts/icon.tsx'
import { amendQuery } from '../../state/place.ts'

interface Props {
  name: string
  label?: string
  /** The current sort order. */
  sort: string
  /** The URL parameter. */
  param: string
  descendingFirst?: boolean
}

/** A sortable column header. */
export function SortHeading({ name, label = name, sort, param, descendingFirst }: Props) {
  const ascending = sort === name
  const descending = sort === `-${name}`
  const next = ascending ? `-${name}` : descending ? name : `${descendingFirst ? '-' : ''}${name}`
  return (
    <span
      role="columnheader"
      class={`c-${name}`}
      aria-sort={ascending ? 'ascending' : descending ? 'descending' : 'none'}
    >
      <button type="button" class="sort" onClick={() => amendQuery({ [param]: next })}>
        {label} {ascending && <Icon name="up" />}
        {descending && <Icon name="down" />}
      </button>
    </span>
  )
}
