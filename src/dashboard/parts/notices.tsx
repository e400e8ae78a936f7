import { dismiss, notices } from '../state/notices.ts'
import { Icon } from './icon.tsx'

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text }) => (
        <div key={id} class={`notice ${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'warn'} />
          <p>{text}</p>
          <button type="button" class="button quiet small" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  )
}
