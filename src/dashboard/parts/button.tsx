import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { notify } from '../state/actions.ts'
import { setter } from '../state/signals.ts'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  /** Modifiers: `primary`, `danger`, `quiet`, `small`. */
  look?: string
  icon?: IconName
  /** The accessible name, if it differs from the text. */
  label?: string
  title?: string
  disabled?: boolean
  /** Submits the form instead of calling `onClick`. */
  submit?: boolean
  /** Tells screen readers that it opens a dialog. */
  opens?: boolean
  href?: string
  onClick?(event: MouseEvent): unknown
  children?: ComponentChildren
}

export function Button({ look = '', icon, label, submit, opens, href, onClick, children, ...rest }: Props) {
  const attributes = { class: `button ${look}`, 'aria-label': label, ...rest }
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  )
  if (href !== undefined)
    return (
      <a href={href} {...attributes}>
        {content}
      </a>
    )
  return (
    <button
      type={submit ? 'submit' : 'button'}
      aria-haspopup={opens ? 'dialog' : undefined}
      onClick={onClick}
      {...attributes}
    >
      {content}
    </button>
  )
}

/** The accessible name is `Copy ${what}`. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const copied = useSignal(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      copied.value = true
      setTimeout(setter(copied, false), 1500)
    } catch {
      notify('error', `The browser blocked access to the clipboard. Copy ${what} manually: ${text}`)
    }
  }
  return (
    <Button
      look={label ? '' : 'quiet small'}
      icon={copied.value ? 'check' : 'copy'}
      label={`Copy ${what}`}
      onClick={copy}
    >
      {label && <span>{copied.value ? 'Copied' : label}</span>}
    </Button>
  )
}
