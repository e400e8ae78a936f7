import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { act } from '../state/actions.ts'
import { Button } from './button.tsx'

function focusFirstField(dialog: HTMLElement) {
  const fields = dialog.querySelectorAll<HTMLInputElement>('input:not([type="hidden"]), textarea, select')
  const first = [...fields].find(field => !field.disabled && field.offsetParent)
  first?.focus()
}

interface Props {
  title: string
  onClose(): void
  wide?: boolean
  /** The text of the button that closes the dialog; null: no such button. */
  close?: string | null
  /** More buttons. */
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
    const before = document.activeElement as HTMLElement | null
    if (!dialog.open) dialog.showModal()
    focusFirstField(dialog)
    return () => {
      dialog.close()
      if (before?.isConnected) before.focus()
    }
  }, [])
  // Browsers close a dialog on a second Escape even after preventDefault. A required dialog is then shown again.
  const closed = () => {
    const dialog = ref.current
    if (!dialog?.isConnected) return
    onClose()
    // After the next render, which may have removed the dialog.
    queueMicrotask(() => dialog.isConnected && !dialog.open && dialog.showModal())
  }
  const content = (
    <>
      {children}
      <div class="dialog-actions">
        {close && <Button onClick={onClose}>{close}</Button>}
        {actions}
      </div>
    </>
  )
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClose={closed}
    >
      <h2 id={id}>{title}</h2>
      {onSubmit ? (
        <form class="form" onSubmit={onSubmit}>
          {content}
        </form>
      ) : (
        content
      )}
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

const pending = signal<(Confirmation & { choose: (yes: boolean) => void }) | undefined>(undefined)

/** Resolves to true if the user confirms. */
export function confirmAction(confirmation: Confirmation): Promise<boolean> {
  pending.value?.choose(false)
  return new Promise(resolve => {
    pending.value = {
      ...confirmation,
      choose(yes) {
        pending.value = undefined
        resolve(yes)
      },
    }
  })
}

interface ConfirmedAction extends Confirmation {
  run(): Promise<unknown>
  /** The message of success. */
  done: string
}

/** Runs an action after the user confirms it. */
export async function actIfConfirmed({ run, done, ...confirmation }: ConfirmedAction) {
  if (await confirmAction(confirmation)) await act(run, done)
}

export function ConfirmDialog() {
  if (!pending.value) return null
  const { title, sentences, action, danger, choose } = pending.value
  return (
    <Dialog
      key={title}
      title={title}
      onClose={() => choose(false)}
      close="Cancel"
      actions={
        <Button look={danger ? 'danger' : 'primary'} onClick={() => choose(true)}>
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
