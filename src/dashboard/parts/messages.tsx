import type { ComponentChildren } from 'preact'
import type { Remote } from '../state/remote.ts'
import type { RequestError } from '../wire/request-error.ts'
import { Icon, type IconName } from './icon.tsx'

/** An empty state: what is missing, and what to do about it. */
export const Empty = ({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <Icon name={icon} />
    <p class="empty-title">{title}</p>
    {children && <div class="empty-text">{children}</div>}
  </div>
)

export const Loading = () => <p class="loading">Loading…</p>

export const Failure = ({ error }: { error: RequestError }) => (
  <div class="failure" role="alert">
    <Icon name="warn" />
    <p>{error.message}</p>
  </div>
)

/** Loaded data, or why there is none. Old data remains while the simulator doesn't respond, which the banner shows. */
export function Loaded<T>({ from, children }: { from: Remote<T | undefined>; children(data: T): ComponentChildren }) {
  const isSilent = from.error?.status === 0
  if (from.error && !(isSilent && from.data !== undefined)) return <Failure error={from.error} />
  return from.data === undefined ? <Loading /> : children(from.data)
}

export const FormError = ({ error }: { error: RequestError | undefined }) =>
  error ? (
    <p class="field-error" role="alert">
      {error.code && <code>{error.code}</code>} {error.message}
    </p>
  ) : null

export const Note = ({ children }: { children: ComponentChildren }) => (
  <p class="note warn">
    <Icon name="warn" /> <span>{children}</span>
  </p>
)
