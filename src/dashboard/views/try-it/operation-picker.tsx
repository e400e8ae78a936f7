import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'
import { Method } from '../../parts/status.tsx'
import { chooseOperation, draft, operations } from './console-state.ts'
import { findOperations, type Operation } from './operations.ts'

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: at => Math.max(at - 8, 0),
}

/** A combobox that searches operations by id, method, path or resource. */
export function OperationPicker() {
  const id = useId()
  const chosen = draft.value.operation ?? ''
  /** The search text. Undefined while closed. */
  const typed = useSignal<string | undefined>(undefined)
  const active = useSignal(0)
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isOpen = typed.value !== undefined
  const found = isOpen ? findOperations(operations.value, typed.value!) : []

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active.value, isOpen])

  // Typing replaces the name of the chosen operation.
  useLayoutEffect(() => {
    if (!isOpen && document.activeElement === input.current) input.current?.select()
  }, [isOpen])

  const open = (text: string) => {
    typed.value = text
    const at = text === '' ? operations.value.findIndex(each => each.id === chosen) : 0
    active.value = Math.max(0, at)
  }
  const close = () => {
    typed.value = undefined
  }
  const choose = (operation: Operation) => {
    chooseOperation(operation.id)
    close()
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (step && isOpen && found.length > 0) active.value = step(active.value, found.length)
    else if (step && !isOpen) open('')
    else if (event.key === 'Enter' && isOpen && found[active.value]) choose(found[active.value]!)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
  }

  return (
    <div class="combo">
      <label class="field">
        <span>Operation</span>
        <input
          ref={input}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          class="mono"
          placeholder="Search by ID, method, path or resource"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={found[active.value] ? `${id}-${active.value}` : undefined}
          value={typed.value ?? chosen}
          onClick={() => isOpen || open('')}
          onInput={event => open(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
      </label>
      <Icon name="down" />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Operations"
        hidden={!isOpen}
        // A click must not move the focus from the input, which would close the list.
        onMouseDown={event => event.preventDefault()}
      >
        {found.map((operation, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus
          <div
            key={operation.id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active.value}
            onClick={() => choose(operation)}
          >
            <Method method={operation.method} /> <span class="mono clip">{operation.path}</span>
            <span class="muted clip">{operation.id}</span>
          </div>
        ))}
        {isOpen && found.length === 0 && (
          <div role="option" aria-selected="false" aria-disabled="true" class="muted">
            No matching operations.
          </div>
        )}
      </div>
    </div>
  )
}
