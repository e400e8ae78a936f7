import type { ComponentChildren } from 'preact'

/** A name and what it is, in a `dl`. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
