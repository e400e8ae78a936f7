import type { ComponentChildren } from 'preact'

/** `ip_policy_id` is broken where its words end. */
const broken = (name: string) => name.split(/(?<=_)/).flatMap((word, i) => (i === 0 ? word : [<wbr key={i} />, word]))

/** A name and what it is, in a `dl`. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{broken(name)}</dt>
    <dd>{children}</dd>
  </div>
)
