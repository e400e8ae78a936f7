import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'

interface Props {
  title: string
  /** Buttons and links next to the title. */
  actions?: ComponentChildren
  class?: string
  children: ComponentChildren
}

export const Section = ({ title, actions, class: more = '', children }: Props) => (
  <section class={`card ${more}`} aria-label={title}>
    <div class="card-head">
      <h2>{title}</h2>
      {actions && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)

type DetailProps = Omit<Props, 'class'> & { label: string; closeHref: string }

/** The details next to a list. */
export const Detail = ({ label, title, closeHref, actions, children }: DetailProps) => (
  <aside class="detail" aria-label={label}>
    <div class="detail-head">
      <Button look="quiet back" icon="cross" href={closeHref}>
        <span>Close</span>
      </Button>
      <p class="mono clip grow">{title}</p>
      {actions}
    </div>
    {children}
  </aside>
)

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
