import { CopyButton } from './copy-button.tsx'

const MOST_CHARS = 200_000

/** A value as JSON, or a text as it is, in one text node: whatever it holds, it is only ever read. */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing')
  const shown = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}\n… ${text.length - MOST_CHARS} more` : text
  return (
    <div class="code">
      <CopyButton text={text} what={what} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={what} role="region">
        {shown}
      </pre>
    </div>
  )
}
