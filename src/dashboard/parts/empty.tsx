import type { ComponentChildren } from 'preact'
import type { Refusal } from '../wire/refusal.ts'
import { Icon, type IconName } from './icon.tsx'

/** What stands where there is nothing to show: why, and what to do about it. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children && <div class="empty-text">{children}</div>}
    </div>
  )
}

export const Failure = ({ error }: { error: Refusal }) => (
  <div class="failure" role="alert">
    <Icon name="warn" />
    <p>{error.message}</p>
  </div>
)

export const Loading = () => <p class="loading">Loading…</p>
