import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Combobox } from '../../parts/combobox.tsx'
import { Check } from '../../parts/inputs.tsx'
import { useKeys } from '../../state/keys.ts'
import { noteOf, plural } from '../../state/kinds.ts'
import { groupBy } from '../../state/lists.ts'
import { goTo, hrefTo } from '../../state/place.ts'
import { writer } from '../../state/signals.ts'
import { useGet } from '../../state/simulator.ts'
import type { Kind } from '../../types.ts'
import { findKinds } from './find-kinds.ts'

interface Props {
  kinds: readonly Kind[]
  kind: Kind | undefined
}

/** Finds a kind by its name, path or prefix, or a record by its id. */
function KindPicker({ kinds, kind }: Props) {
  const typed = useSignal<string | undefined>(undefined)
  const found = findKinds(kinds, typed.value ?? '')
  const { record } = found
  const records = record ? [{ value: `${record.kind.table}/${record.id}`, content: <code>{record.id}</code> }] : []
  const options = found.kinds.map(each => {
    const content = (
      <>
        <span class="grow">{plural(each)}</span> <span class="muted">{each.family}</span>
      </>
    )
    return { value: each.table, content }
  })
  useKeys(['/'], 'Find a resource type, or a record by ID', () =>
    document.querySelector<HTMLElement>('.kind-picker input')!.focus(),
  )
  return (
    <div class="kind-picker">
      <Combobox
        label={<span class="hidden">Resource type, or record by ID</span>}
        placeholder="Find a resource type"
        value={kind ? plural(kind) : ''}
        typed={typed}
        options={[...records, ...options]}
        onChoose={chosen => goTo(['resources', ...chosen.split('/')])}
      />
    </div>
  )
}

const hideEmpty = signal(false)

const Count = ({ count }: { count: number }) =>
  count > 0 && (
    <>
      {count}
      <span class="hidden">{count === 1 ? ' record' : ' records'}</span>
    </>
  )

/** Kinds by family, with their numbers of records. Arrow keys move between them. Tab enters and leaves the list. */
export function KindList({ kinds, kind }: Props) {
  const list = useRef<HTMLElement>(null)
  const { data: counts } = useGet<Record<string, number>>('/db')
  const listed = kinds.filter(each => !hideEmpty.value || !counts || counts[each.table] || each === kind)
  useEffect(() => {
    list.current!.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [kind])
  function press(event: KeyboardEvent) {
    const links = [...list.current!.querySelectorAll('a')]
    const at = links.indexOf(event.target as HTMLAnchorElement)
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    links.at(to % links.length)!.focus()
  }
  return (
    <div class="kinds">
      <KindPicker kinds={kinds} kind={kind} />
      <Check label="Hide empty types" checked={hideEmpty.value} onChange={writer(hideEmpty)} />
      <nav ref={list} class="kinds-list" aria-label="Resource types" onKeyDown={press}>
        {[...groupBy(listed, ({ family }) => family)].map(([family, members]) => (
          <section key={family}>
            <h2>{family}</h2>
            <ul aria-label={family}>
              {members.map(each => (
                <li key={each.table}>
                  <a
                    href={hrefTo(['resources', each.table])}
                    aria-current={each === kind ? 'page' : undefined}
                    tabIndex={each === (kind ?? listed[0]) ? 0 : -1}
                    title={noteOf(each)}
                  >
                    <span class="wrap">{plural(each)}</span>
                    {/* Always rendered, so the list doesn't move when the counts arrive. */}
                    <span class="number">
                      <Count count={counts?.[each.table] ?? 0} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  )
}
