import { useSignal } from '@preact/signals'
import { dismiss, dismissAll, type Notice, notices, noticesHeld } from '../state/actions.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { dayTime } from './status.tsx'

const iconOf = ({ kind }: Notice) => <Icon name={kind === 'done' ? 'check' : 'warn'} />

/** The place of messages: a line below the view, which takes its own room. It shows the newest, and leads to the rest. */
export function Notices() {
  const listed = useSignal(false)
  const current = notices.value.filter(({ over }) => !over)
  const [newest] = current
  // A button that is gone does not say that it was left.
  const dismissIt = ({ id }: Notice) => {
    dismiss(id)
    noticesHeld.value = false
  }
  const hold = () => {
    noticesHeld.value = true
  }
  /** The pointer or the focus has left; the other may still be there. */
  const release = (unless: string) => (event: Event) => {
    noticesHeld.value = (event.currentTarget as Element).matches(unless)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is being read does not go away
    <div
      class={`notices ${newest?.kind ?? 'none'}`}
      onMouseEnter={hold}
      onMouseLeave={release(':focus-within')}
      onFocusIn={hold}
      onFocusOut={release(':hover')}
    >
      {newest && iconOf(newest)}
      {/* It must be there before its text is, or that is not said. */}
      <p role="status">{newest?.kind === 'done' && newest.text}</p>
      {newest?.kind === 'error' && (
        <p key={newest.id} role="alert">
          {newest.text}
        </p>
      )}
      {newest && (
        <div class="actions">
          {current.length > 1 && (
            <button
              type="button"
              class="link small-text nowrap"
              aria-haspopup="dialog"
              onClick={() => {
                listed.value = true
              }}
            >
              and {current.length - 1} more
            </button>
          )}
          <button type="button" class="button quiet small" aria-label="Dismiss" onClick={() => dismissIt(newest)}>
            <Icon name="cross" />
          </button>
        </div>
      )}
      {listed.value && (
        <NoticeList
          onClose={() => {
            listed.value = false
          }}
        />
      )}
    </div>
  )
}

function NoticeList({ onClose }: { onClose(): void }) {
  const dismissThem = () => {
    dismissAll()
    onClose()
  }
  return (
    <Dialog title="Messages" wide onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <ul class="notice-list" tabIndex={0} aria-label="The latest messages, newest first">
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
      <div class="dialog-actions">
        <button type="button" class="button" onClick={dismissThem}>
          Dismiss all
        </button>
        <button type="button" class="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
