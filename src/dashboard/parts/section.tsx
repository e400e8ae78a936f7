import type { ComponentChildren } from 'preact'

interface Props {
  title: string
  /** Buttons and links next to the title. */
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

/** Allows a line break after each underscore: `ip_policy_id`. */
const breakable = (name: string) =>
  name.split(/(?<=_)/).flatMap((word, i) => (i === 0 ? word : [<wbr key={i} />, word]))

/** A name and its value, in a `dl`. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{breakable(name)}</dt>
    <dd>{children}</dd>
  </div>
)
