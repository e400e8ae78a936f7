import { useSignal } from '@preact/signals'
import { SearchBox } from '../../parts/inputs.tsx'
import { hrefTo } from '../../state/place.ts'

/** The operations that were not called, with links to Try it. */
export function NotCalled({ names }: { names: readonly string[] }) {
  const find = useSignal('')
  const found = names.filter(name => name.includes(find.value.trim().toLowerCase()))
  if (names.length === 0) return <p class="muted">All operations were called.</p>
  return (
    <>
      <search class="filters">
        <SearchBox
          label="Find an operation"
          text={find.value}
          onText={text => {
            find.value = text
          }}
        />
      </search>
      <ul class="names">
        {found.map(name => (
          <li key={name}>
            <a class="mono" href={hrefTo(['console'], { operation: name })}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted">No operation matches "{find.value.trim()}".</p>}
    </>
  )
}
