import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

const FIELDS = 'input:not([type="hidden"]), textarea, select'

/** Puts the cursor where typing begins. */
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

/** The browser's own dialog keeps the focus inside, and closes on Escape. The focus then returns to where it was. */
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
  // A browser closes a dialog on a second Escape, whatever the page says. One that must be answered is shown again.
  const closed = () => {
    const dialog = ref.current
    if (!dialog?.isConnected) return
    onClose()
    // Once the page is drawn without it, or with it again.
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

/** The end of a dialog that only shows something. */
export const CloseAction = ({ onClose }: { onClose(): void }) => (
  <div class="dialog-actions">
    <button type="button" class="button" onClick={onClose}>
      Close
    </button>
  </div>
)
