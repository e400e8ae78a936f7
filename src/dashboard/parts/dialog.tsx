import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

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
  useEffect(() => {
    const dialog = ref.current!
    const before = document.activeElement as HTMLElement | null
    if (!dialog.open) dialog.showModal()
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
    requestAnimationFrame(() => dialog.isConnected && !dialog.open && dialog.showModal())
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
