import type { ComponentChildren } from 'preact'

interface Props {
  label: string
  /** Shown if there are no rows. */
  none?: string
  heads: string[]
  rows: { key: string; class?: string; cells: ComponentChildren[] }[]
  class?: string
}

/** A short table that renders all rows. Number columns are right-aligned. */
export function Table({ label, none, heads, rows, class: more = '' }: Props) {
  if (rows.length === 0) return <p class="muted">{none}</p>
  const alignment = (i: number) => (rows.every(({ cells }) => typeof cells[i] === 'number') ? 'end' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class={`plain-table ${more}`} role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th key={head} scope="col" class={alignment(i)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, class: css, cells }) => (
            <tr key={key} class={css}>
              {cells.map((cell, i) => (
                <td key={heads[i]} class={alignment(i) ? 'number end' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
