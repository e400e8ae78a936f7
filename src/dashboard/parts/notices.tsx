import { dismiss, notices } from '../state/actions.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** A message bar below the view. It shows the newest message, and the number of others. */
export function Notices() {
  const [newest, ...others] = notices.value
  return (
    <div class={`notices ${newest?.kind ?? 'none'}`}>
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
          <Button look="quiet small" icon="cross" label="Dismiss" onClick={() => dismiss(newest.id)} />
        </div>
      )}
    </div>
  )
}
