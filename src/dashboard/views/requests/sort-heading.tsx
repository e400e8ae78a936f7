import { Icon } from '../../parts/icon.tsx'
import { amendQuery } from '../../state/place.ts'

interface Props {
  /** The column. */
  name: string
  label?: string
  /** How it is sorted now. */
  sort: string
  /** Where the address keeps it. */
  kept: string
  /** What a first click does: the largest first, or the smallest. */
  down?: boolean
}

/** The head of a column that sorts by it. */
export function SortHeading({ name, label = name, sort, kept, down }: Props) {
  const rises = sort === name
  const falls = sort === `-${name}`
  const next = rises ? `-${name}` : falls ? name : `${down ? '-' : ''}${name}`
  return (
    <span role="columnheader" class={`c-${name}`} aria-sort={rises ? 'ascending' : falls ? 'descending' : 'none'}>
      <button type="button" class="sort" onClick={() => amendQuery({ [kept]: next })}>
        {label} {rises && <Icon name="up" />}
        {falls && <Icon name="down" />}
      </button>
    </span>
  )
}
