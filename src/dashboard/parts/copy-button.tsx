import { useSignal } from '@preact/signals'
import { notify } from '../state/actions.ts'
import { Icon } from './icon.tsx'

interface Props {
  text: string
  /** Part of the accessible name: `Copy ${what}`. */
  what: string
  label?: string
}

export function CopyButton({ text, what, label }: Props) {
  const copied = useSignal(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      copied.value = true
      setTimeout(() => {
        copied.value = false
      }, 1500)
    } catch {
      notify('error', `The browser blocked access to the clipboard. Copy ${what} manually: ${text}`)
    }
  }
  return (
    <button type="button" class={label ? 'button' : 'button quiet small'} aria-label={`Copy ${what}`} onClick={copy}>
      <Icon name={copied.value ? 'check' : 'copy'} />
      {label && <span>{copied.value ? 'Copied' : label}</span>}
    </button>
  )
}
