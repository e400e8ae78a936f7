import { dismiss, notices, noticesHeld } from '../state/actions.ts'
import { setter } from '../state/signals.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** A message bar below the view. It shows the newest message, and the number of others. */
export function Notices() {
  const [newest, ...others] = notices.value
  const hold = setter(noticesHeld, true)
  /** Called when the pointer or the focus leaves. The other may still be inside. */
  const release = (unless: string) => (event: Event) => {
    noticesHeld.value = (event.currentTarget as Element).matches(unless)
  }
  // A removed button fires no mouseleave or focusout.
  const dismissNewest = () => {
    dismiss(newest!.id)
    noticesHeld.value = false
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
      {newest && <Icon name={newest.kind === 'done' ? 'check' : 'warn'} />}
      {/* Screen readers announce text only in a live region that already exists. */}
      <p role="status">{newest?.kind === 'done' && newest.text}</p>
      {newest?.kind === 'error' && (
        <p key={newest.id} role="alert">
          {newest.text}
        </p>
      )}
      {newest && (
        <div class="actions">
          {others.length > 0 && <span class="small-text">{others.length} more</span>}
          <Button look="quiet small" icon="cross" label="Dismiss" onClick={dismissNewest} />
        </div>
      )}
    </div>
  )
}
