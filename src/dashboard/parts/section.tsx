import type { ComponentChildren } from 'preact'

interface Props {
  title: string
  /** Beside the title: what can be done here. */
  actions?: ComponentChildren
  class?: string
  children: ComponentChildren
}

export function Section({ title, actions, class: more = '', children }: Props) {
  return (
    <section class={`card ${more}`} aria-label={title}>
      <div class="card-head">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
