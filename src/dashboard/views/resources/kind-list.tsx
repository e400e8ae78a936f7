import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { counted } from '../../../basics/text.ts'
import { Icon } from '../../parts/icon.tsx'
import { useKeys } from '../../state/keys.ts'
import { noteOf, plural } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Kind } from '../../types.ts'
import { useDebounced } from './batch.tsx'
import { byFamily, findKinds } from './find-kinds.ts'

const hideEmpty = signal(false)

/** Scrolls only the list. `scrollIntoView` would also scroll its ancestors. */
function showIn(area: HTMLElement, link: HTMLElement) {
  const top = link.getBoundingClientRect().top - area.getBoundingClientRect().top
  if (top < 0 || top + link.offsetHeight > area.clientHeight) area.scrollTop += top - area.clientHeight / 2
}

/**
 * Resource types by family, with a search field. A button replaces the list in a narrow window. Arrow keys move between
 * the field and the links. Tab enters and leaves the list.
 */
export function KindList({ kinds, kind }: { kinds: readonly Kind[]; kind: Kind | undefined }) {
  const text = useSignal('')
  const unfolded = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  /** The next element to focus. */
  const next = useSignal<typeof field | typeof button | undefined>(undefined)
  const panel = useId()
  const table = kind?.table
  const { data: counts } = useRemote(`${sandbox.value} counts`, useDebounced(stateVersion.value), signal =>
    sandboxControl<Record<string, number>>('GET', '/db', { signal }),
  )
  const listed = hideEmpty.value && counts ? kinds.filter(each => counts[each.table] || each.table === table) : kinds
  const found = findKinds(text.value ? kinds : listed, text.value)
  const tabStop = found.kinds.find(each => each.table === table) ?? found.kinds[0]
  const links = () => [...list.current!.querySelectorAll('a')]

  useEffect(() => {
    const current = list.current!.querySelector<HTMLElement>('[aria-current]')
    if (current && text.value === '') showIn(list.current!, current)
  }, [table, text.value, unfolded.value])

  // The list must not cover the new view, even after a back navigation.
  const shown = place.value.parts.join('/')
  useEffect(() => {
    unfolded.value = false
  }, [shown])

  function unfold(on: boolean) {
    unfolded.value = on
    next.value = on ? field : button
  }
  // After rendering: a hidden element cannot have the focus.
  useLayoutEffect(() => {
    next.value?.current?.focus()
    next.value = undefined
  }, [next.value])
  useKeys(['/'], 'Find a resource type, or a record by ID', () =>
    button.current!.offsetParent ? unfold(true) : field.current!.focus(),
  )

  function chosen() {
    text.value = ''
    if (unfolded.value) unfold(false)
  }
  function press(event: KeyboardEvent) {
    const at = links().indexOf(event.target as HTMLAnchorElement)
    const inField = event.target === field.current
    if (event.key === 'ArrowDown') links()[at + 1]?.focus()
    else if (event.key === 'ArrowUp' && at === 0) field.current!.focus()
    else if (event.key === 'ArrowUp') links()[at - 1]?.focus()
    else if (event.key === 'Home' && !inField) links()[0]?.focus()
    else if (event.key === 'End' && !inField) links().at(-1)?.focus()
    else if (event.key === 'Enter' && inField && text.value.trim()) links()[0]?.click()
    else if (event.key === 'Escape' && (text.value || unfolded.value)) {
      if (text.value) text.value = ''
      else unfold(false)
    } else return
    event.preventDefault()
  }

  /** Elements covered by the list must not have the focus. */
  function leave({ currentTarget, relatedTarget }: FocusEvent) {
    if (relatedTarget && !(currentTarget as Node).contains(relatedTarget as Node)) unfolded.value = false
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus between the field and the links
    <div class={`kinds ${unfolded.value ? 'unfolded' : ''}`} onKeyDown={press} onFocusOut={leave}>
      <button
        ref={button}
        type="button"
        class="button kinds-button"
        aria-expanded={unfolded.value}
        aria-controls={panel}
        onClick={() => unfold(!unfolded.value)}
      >
        <span class="muted">{kind ? kind.family : 'Resource types'}</span>
        <span class="clip grow">{kind ? plural(kind) : 'Choose one'}</span>
        <Icon name={unfolded.value ? 'up' : 'down'} />
      </button>
      <div id={panel} class="kinds-panel">
        <search class="search-box">
          <label>
            <span class="hidden">Find a resource type, or a record by ID</span>
            <Icon name="search" />
            <input
              ref={field}
              type="search"
              placeholder="Find a resource type"
              title="Search by name, path or ID. Press / to focus."
              autocomplete="off"
              spellcheck={false}
              value={text.value}
              onInput={event => {
                text.value = event.currentTarget.value
              }}
            />
          </label>
        </search>
        <label class="check kinds-only">
          <input
            type="checkbox"
            checked={hideEmpty.value}
            onChange={event => {
              hideEmpty.value = event.currentTarget.checked
            }}
          />
          Hide empty types
        </label>
        <p class="hidden" role="status">
          {text.value && `${counted(found.kinds.length, 'type')} found`}
        </p>
        <nav ref={list} class={`kinds-list ${text.value ? 'found' : ''}`} aria-label="Resource types">
          {found.record && (
            <Family name="Record">
              <li>
                <a href={hrefTo(['resources', found.record.kind.table, found.record.id])} onClick={chosen}>
                  <code class="clip">{found.record.id}</code>
                </a>
              </li>
            </Family>
          )}
          {byFamily(found.kinds).map(([family, familyKinds]) => (
            <Family key={family} name={family}>
              {familyKinds.map(each => (
                <li key={each.table}>
                  <a
                    href={hrefTo(['resources', each.table])}
                    aria-current={each.table === table ? 'page' : undefined}
                    tabIndex={each === tabStop ? 0 : -1}
                    title={noteOf(each)}
                    onClick={chosen}
                  >
                    <span class="wrap">{plural(each)}</span>
                    {/* Always rendered, so the list doesn't move when the counts arrive. */}
                    <span class="number">
                      {counts?.[each.table] ? (
                        <>
                          {counts[each.table]}
                          <span class="hidden">{counts[each.table] === 1 ? ' record' : ' records'}</span>
                        </>
                      ) : null}
                    </span>
                  </a>
                </li>
              ))}
            </Family>
          ))}
          {found.kinds.length === 0 && (
            <p class="muted small-text wrap">
              No resource type matches "{text.value.trim()}". Press Escape to show all.
            </p>
          )}
        </nav>
      </div>
    </div>
  )
}

function Family({ name, children }: { name: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <>
      <h2 id={id}>{name}</h2>
      <ul aria-labelledby={id}>{children}</ul>
    </>
  )
}
