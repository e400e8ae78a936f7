import { useSignal } from '@preact/signals'
import { dismiss, dismissAll, type Notice, notices, noticesHeld } from '../state/actions.ts'
import { setter } from '../state/signals.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { dayTime } from './status.tsx'

const iconOf = ({ kind }: Notice) => <Icon name={kind === 'done' ? 'check' : 'warn'} />

/** A message bar below the view. It shows the newest message and a link to the others. */
export function Notices() {
  const listed = useSignal(false)
  const current = notices.value.filter(({ closed }) => !closed)
  const [newest] = current
  // A removed button fires no mouseleave or focusout.
  const dismissOne = ({ id }: Notice) => {
    dismiss(id)
    noticesHeld.value = false
  }
  const hold = setter(noticesHeld, true)
  /** Called when the pointer or the focus leaves. The other may still be inside. */
  const release = (unless: string) => (event: Event) => {
    noticesHeld.value = (event.currentTarget as Element).matches(unless)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering keeps messages visible
    <div
      class={`notices ${newest?.kind ?? 'none'}`}
      onMouseEnter={hold}
      onMouseLeave={release(':focus-within')}
      onFocusIn={hold}
      onFocusOut={release(':hover')}
    >
      {newest && iconOf(newest)}
      {/* Screen readers announce text only in a live region that already exists. */}
      <p role="status">{newest?.kind === 'done' && newest.text}</p>
      {newest?.kind === 'error' && (
        <p key={newest.id} role="alert">
          {newest.text}
        </p>
      )}
      {newest && (
        <div class="actions">
          {current.length > 1 && (
            <Button look="quiet small-button" opens onClick={setter(listed, true)}>
              Show {current.length - 1} more
            </Button>
          )}
          <Button look="quiet small" icon="cross" label="Dismiss" onClick={() => dismissOne(newest)} />
        </div>
      )}
      {listed.value && <NoticeList onClose={setter(listed, false)} />}
    </div>
  )
}

function NoticeList({ onClose }: { onClose(): void }) {
  const dismissAndClose = () => {
    dismissAll()
    onClose()
  }
  return (
    <Dialog title="Messages" wide onClose={onClose} actions={<Button onClick={dismissAndClose}>Dismiss all</Button>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <ul class="notice-list" tabIndex={0} aria-label="Messages, newest first">
        {notices.value.map(notice => (
          <li key={notice.id} class={notice.kind}>
            {iconOf(notice)}
            <span class="wrap">
              <span class="hidden">{notice.kind === 'done' ? 'Done: ' : 'Error: '}</span>
              {notice.text}
            </span>
            <span class="muted number nowrap small-text">{dayTime(notice.at)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
