import { useSignal } from '@preact/signals'
import { notify } from '../state/actions.ts'
import { Icon } from './icon.tsx'

interface Props {
  text: string
  /** What is copied; part of the button's accessible name. */
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
      notify('error', `The browser does not let the page copy. ${what}: ${text}`)
    }
  }
  return (
    <button type="button" class={label ? 'button' : 'button quiet small'} aria-label={`Copy ${what}`} onClick={copy}>
      <Icon name={copied.value ? 'check' : 'copy'} />
      {label && <span>{copied.value ? 'Copied' : label}</span>}
    </button>
  )
}
