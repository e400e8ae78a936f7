import type { ComponentChildren } from 'preact'
import { hrefOf } from '../state/kinds.ts'
import { base } from '../wire/control.ts'

interface Props {
  /** An ID, a `uri` or an operation. */
  text: string
  /** Set if it belongs to another sandbox. */
  sandbox?: string
  class?: string
  children?: ComponentChildren
}

/** A link to what the text names, or the text if it names nothing. */
export function NameLink({ text, sandbox, class: css = 'mono wrap', children = text }: Props) {
  const href = hrefOf(text, { sandbox })
  const Element = href ? 'a' : 'span'
  return (
    <Element class={css} href={href}>
      {children}
    </Element>
  )
}

/** A reference to a deleted record. Modules may still have one. */
export const MissingRecord = ({ id }: { id: string }) => (
  <>
    {id} <span class="missing">not found{id.startsWith('ipp_') && ': treated as a policy without rules'}</span>
  </>
)

/** A section of docs/api.md. */
export const DocsLink = ({ section }: { section: string }) => (
  <a class="nowrap" href={`${base}/_sim/docs/api.md#section-${section}`} target="_blank" rel="noopener">
    docs/api.md {section}
    <span class="hidden"> in a new tab</span>
  </a>
)
