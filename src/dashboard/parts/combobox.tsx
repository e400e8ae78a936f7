import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { setter } from '../state/signals.ts'
import type { InputAttributes } from './field-props.tsx'
import { Icon } from './icon.tsx'
import { Field } from './inputs.tsx'

export interface ComboboxProps extends InputAttributes {
  label: ComponentChildren
  hint?: ComponentChildren
  placeholder?: string
  /** Shown while the list is closed. */
  value: string
  /** The typed text; undefined while the list is closed. */
  typed: Signal<string | undefined>
  /** The options that match the typed text. */
  options: readonly { value: string; content: ComponentChildren }[]
  onChoose(value: string): void
  /** Accepts any text, and is called for each change. */
  onText?(text: string): void
  required?: boolean
}

/** A text input with a list of options to choose from. The parent finds the options. */
export function Combobox({ label, hint, value, typed, options, onChoose, onText, ...rest }: ComboboxProps) {
  const id = useId()
  const active = useSignal(0)
  const input = useRef<HTMLInputElement>(null)
  /** A list that offers nothing but the typed text would only cover what is below. */
  const offersMore = !onText || options.some(option => option.value !== value)
  const isOpen = typed.value !== undefined && offersMore
  const at = Math.min(active.value, options.length - 1)

  const optionId = (index: number) => `${id}-${index}`
  useEffect(() => document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' }), [at, isOpen])
  // Typing replaces the chosen value.
  useLayoutEffect(() => {
    if (!isOpen && document.activeElement === input.current) input.current?.select()
  }, [isOpen])

  const search = (text: string) => {
    typed.value = text
    active.value = onText ? -1 : 0
  }
  const open = () => {
    search('')
    active.value = options.findIndex(each => each.value === value)
  }
  const close = setter(typed, undefined)
  const choose = (chosen: string) => {
    onChoose(chosen)
    close()
  }
  function onKeyDown(event: KeyboardEvent) {
    const count = options.length
    const moves: Record<string, number> = {
      ArrowDown: (at + 1) % count,
      ArrowUp: (at - 1 + count) % count,
      PageDown: Math.min(at + 8, count - 1),
      PageUp: Math.max(at - 8, 0),
    }
    const to = moves[event.key]
    if (to !== undefined && isOpen && count > 0) active.value = to
    else if (to !== undefined && !isOpen) open()
    else if (event.key === 'Enter' && isOpen && options[at]) choose(options[at].value)
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
  }

  return (
    <div class="combo">
      <Field label={label} hint={hint}>
        <input
          ref={input}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          class="mono"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen && options[at] ? optionId(at) : undefined}
          {...rest}
          value={onText ? value : (typed.value ?? value)}
          onFocus={event => event.currentTarget.select()}
          onClick={() => isOpen || open()}
          onInput={event => {
            search(event.currentTarget.value)
            onText?.(event.currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
      </Field>
      <Icon name="down" />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Options"
        hidden={!isOpen}
        // A click must not move the focus from the input, which would close the list.
        onMouseDown={event => event.preventDefault()}
      >
        {isOpen &&
          options.map((option, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus
            <div
              key={option.value}
              id={optionId(i)}
              role="option"
              aria-selected={i === at}
              onClick={() => choose(option.value)}
            >
              {option.content}
            </div>
          ))}
        {isOpen && options.length === 0 && (
          <div role="option" aria-selected="false" aria-disabled="true" class="muted">
            No matches.
          </div>
        )}
      </div>
    </div>
  )
}
