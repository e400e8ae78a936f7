import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../../parts/icon.tsx'

/** One thing that a connection or a request passes. */
export function Stage({
  icon,
  title,
  tone = '',
  children,
}: {
  icon: IconName
  title: string
  tone?: string
  children?: ComponentChildren
}) {
  return (
    <div class={`stage ${tone}`}>
      <h3>
        <Icon name={icon} /> {title}
      </h3>
      {children}
    </div>
  )
}
