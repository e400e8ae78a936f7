import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

const FIELDS = 'input:not([type="hidden"]), textarea, select'

function focusFirstField(root: Element | null | undefined) {
  const fields = root?.querySelectorAll<HTMLInputElement>(FIELDS) ?? []
  for (const field of fields)
    if (!field.disabled && field.offsetParent) {
      field.focus()
      return
    }
}

interface Props {
  title: string
  onClose(): void
  wide?: boolean
  children: ComponentChildren
}

/** A modal `<dialog>`: it traps the focus, closes on Escape, and then restores the previous focus. */
export function Dialog({ title, onClose, wide, children }: Props) {
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
      {children}
    </dialog>
  )
}

/** The only button of an informational dialog. */
export const CloseAction = ({ onClose }: { onClose(): void }) => (
  <div class="dialog-actions">
    <button type="button" class="button" onClick={onClose}>
      Close
    </button>
  </div>
)
