import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { counted } from '../../../basics/text.ts'
import { Icon } from '../../parts/icon.tsx'
import { useKeys } from '../../state/keys.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Kind } from '../../types.ts'
import { useDebounced } from './batch.tsx'
import { byFamily, findKinds } from './find-kinds.ts'
import { noteOf } from './kinds.ts'
import { plural } from './labels.ts'

/** Whether kinds without records are left out. */
const onlyFilled = signal(false)

/** Scrolls only the list: `scrollIntoView` would move what is around it too. */
function showIn(area: HTMLElement, link: HTMLElement) {
  const top = link.getBoundingClientRect().top - area.getBoundingClientRect().top
  if (top < 0 || top + link.offsetHeight > area.clientHeight) area.scrollTop += top - area.clientHeight / 2
}

/**
 * All kinds of records by family, with a field that finds them. In a narrow window one button stands for all of it.
 * Arrow keys move from the field to the links and between them; Tab enters and leaves the list.
 */
export function KindList({ kinds, kind }: { kinds: readonly Kind[]; kind: Kind | undefined }) {
  const text = useSignal('')
  const unfolded = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  /** What gets the focus next. */
  const next = useSignal<typeof field | typeof button | undefined>(undefined)
  const panel = useId()
  const table = kind?.table
  const { data: counts } = useRemote(`${sandbox.value} counts`, useDebounced(stateVersion.value), signal =>
    sandboxControl<Record<string, number>>('GET', '/db', { signal }),
  )
  const listed = onlyFilled.value && counts ? kinds.filter(each => counts[each.table] || each.table === table) : kinds
  const found = findKinds(text.value ? kinds : listed, text.value)
  const stop = found.kinds.find(each => each.table === table) ?? found.kinds[0]
  const links = () => [...list.current!.querySelectorAll('a')]

  useEffect(() => {
    const current = list.current!.querySelector<HTMLElement>('[aria-current]')
    if (current && text.value === '') showIn(list.current!, current)
  }, [table, text.value, unfolded.value])

  // The way back also leads to a place that the list must not cover.
  const shown = place.value.parts.join('/')
  useEffect(() => {
    unfolded.value = false
  }, [shown])

  function unfold(on: boolean) {
    unfolded.value = on
    next.value = on ? field : button
  }
  // Once it is drawn: what is hidden cannot have the focus.
  useLayoutEffect(() => {
    next.value?.current?.focus()
    next.value = undefined
  }, [next.value])
  useKeys(['/'], 'Find a kind, or a record by its id', () =>
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

  /** What the list covers must not have the focus. */
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
        <span class="muted">{kind ? kind.family : 'Kinds of records'}</span>
        <span class="clip grow">{kind ? plural(kind) : 'Choose one'}</span>
        <Icon name={unfolded.value ? 'up' : 'down'} />
      </button>
      <div id={panel} class="kinds-panel">
        <search class="search-box">
          <label>
            <span class="hidden">Find a kind, or a record by its id</span>
            <Icon name="search" />
            <input
              ref={field}
              type="search"
              placeholder="Find a kind"
              title="A name, a path, or an id. Press / to come here."
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
            checked={onlyFilled.value}
            onChange={event => {
              onlyFilled.value = event.currentTarget.checked
            }}
          />
          Only kinds with records
        </label>
        <p class="hidden" role="status">
          {text.value && `${counted(found.kinds.length, 'kind')} found`}
        </p>
        <nav ref={list} class={`kinds-list ${text.value ? 'found' : ''}`} aria-label="Kinds of records">
          {found.record && (
            <Family name="Record">
              <li>
                <a href={hrefTo(['resources', found.record.kind.table, found.record.id])} onClick={chosen}>
                  <code class="clip">{found.record.id}</code>
                </a>
              </li>
            </Family>
          )}
          {byFamily(found.kinds).map(([family, members]) => (
            <Family key={family} name={family}>
              {members.map(each => (
                <li key={each.table}>
                  <a
                    href={hrefTo(['resources', each.table])}
                    aria-current={each.table === table ? 'page' : undefined}
                    tabIndex={each === stop ? 0 : -1}
                    title={noteOf(each)}
                    onClick={chosen}
                  >
                    <span class="wrap">{plural(each)}</span>
                    {/* It has its place before its text is known, or the list would move under the pointer. */}
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
              No kind has "{text.value.trim()}" in its name or path, and no kind's ids begin so. Escape shows all.
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
