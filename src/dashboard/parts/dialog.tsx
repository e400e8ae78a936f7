import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { act } from '../state/actions.ts'
import { submitToken, tokenPrompt } from '../wire/control.ts'
import { Button } from './button.tsx'
import { bind, Field } from './inputs.tsx'

interface Props {
  title: string
  onClose(): void
  wide?: boolean
  /** The text of the button that closes the dialog; null: no such button. */
  close?: string | null
  actions?: ComponentChildren
  /** Makes the content a form. */
  onSubmit?(event: Event): void
  children: ComponentChildren
}

/** A modal `<dialog>`: it traps the focus, closes on Escape, and then restores the previous focus. */
export function Dialog({ title, onClose, wide, close = 'Close', actions, onSubmit, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    return () => dialog.close()
  }, [])
  const closed = () => {
    // A removed dialog reports that it is closed, too.
    if (!ref.current) return
    onClose()
    // A required dialog is still there after the next render, and is shown again.
    queueMicrotask(() => ref.current?.open === false && ref.current.showModal())
  }
  const Content = onSubmit ? 'form' : 'div'
  return (
    <dialog ref={ref} class={wide ? 'wide' : ''} aria-labelledby={id} onClose={closed}>
      <h2 id={id}>{title}</h2>
      <Content class="form" onSubmit={onSubmit}>
        {children}
        <div class="dialog-actions">
          {close && <Button onClick={onClose}>{close}</Button>}
          {actions}
        </div>
      </Content>
    </dialog>
  )
}

/** An action that the user must confirm. */
interface Confirmation {
  title: string
  sentences: string[]
  action: string
  danger?: boolean
}

const pending = signal<(Confirmation & { resolve: (yes: boolean) => void }) | undefined>(undefined)

/** Resolves to true if the user confirms. */
export const confirmAction = (confirmation: Confirmation) =>
  new Promise<boolean>(resolve => {
    pending.value = { ...confirmation, resolve }
  })

/** Runs an action after the user confirms it. `done` is the message of success. */
export async function actIfConfirmed(action: Confirmation & { run(): Promise<unknown>; done: string }) {
  if (await confirmAction(action)) await act(action.run, action.done)
}

export function ConfirmDialog() {
  if (!pending.value) return null
  const { title, sentences, action, danger, resolve } = pending.value
  const choose = (yes: boolean) => () => {
    pending.value = undefined
    resolve(yes)
  }
  return (
    <Dialog
      title={title}
      onClose={choose(false)}
      close="Cancel"
      actions={
        <Button look={danger ? 'danger' : 'primary'} onClick={choose(true)}>
          {action}
        </Button>
      }
    >
      {sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Dialog>
  )
}

/** Prompts for the control token. It is stored until the tab is closed. */
export function TokenDialog() {
  const text = useSignal('')
  const prompt = tokenPrompt.value
  if (!prompt) return null
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.value.trim()) submitToken(text.value.trim())
  }
  return (
    <Dialog
      title="Control token"
      onClose={() => {}}
      close={null}
      onSubmit={submit}
      actions={
        <Button look="primary" submit>
          Continue
        </Button>
      }
    >
      <p>
        This simulator requires a control token. Enter the value of <code>--control-token</code>.
      </p>
      <Field label="Control token">
        <input type="password" autocomplete="off" aria-invalid={prompt === 'rejected'} {...bind(text)} />
      </Field>
      {prompt === 'rejected' && (
        <p class="field-error" role="alert">
          Invalid token.
        </p>
      )}
    </Dialog>
  )
}
