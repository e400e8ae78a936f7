import { type ComponentChildren, Fragment } from 'preact'
import { hrefOf } from '../state/kinds.ts'
import { CopyButton } from './button.tsx'

const MAX_CHARS = 200_000
const STRING = /("(?:[^"\\]|\\.)*")/

/** The text in text nodes and links, so that content never becomes markup. */
const linked = (text: string, sandbox: string | undefined) =>
  text.split(STRING).map((part, i) => {
    const name = part.slice(1, -1)
    // Every second part is a string.
    const href = i % 2 === 0 || name.includes('\\') ? undefined : hrefOf(name, { sandbox })
    if (!href) return part
    return (
      <Fragment key={i}>
        "<a href={href}>{name}</a>"
      </Fragment>
    )
  })

/** Code in a region that scrolls. The children are the text with links. */
export const Code = ({ text, what, children = text }: { text: string; what: string; children?: ComponentChildren }) => (
  <div class="code">
    <CopyButton text={text} what={what} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <pre tabIndex={0} aria-label={what} role="region">
      {children}
    </pre>
  </div>
)

/** Shows strings unchanged and other values as JSON, with links to records of the sandbox. */
export function JsonView({ value, what, sandbox }: { value: unknown; what: string; sandbox?: string }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'No value')
  const shown = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n… ${text.length - MAX_CHARS} more` : text
  return (
    <Code text={text} what={what}>
      {typeof value === 'string' ? shown : linked(shown, sandbox)}
    </Code>
  )
}
