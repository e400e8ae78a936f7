import { CopyButton } from './copy-button.tsx'

const MAX_CHARS = 200_000

/** Shows strings unchanged and other values as JSON, in one text node so that content never becomes markup. */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'No value')
  const shown = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n… ${text.length - MAX_CHARS} more` : text
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
