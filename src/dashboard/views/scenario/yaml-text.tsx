import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { Problem } from '../../types.ts'

interface Props {
  text: string
  problems: Problem[]
  describedBy: string
  area: RefObject<HTMLTextAreaElement | null>
  onText(text: string): void
}

/** A textarea with line numbers. Lines with problems are marked. */
export function YamlText({ text, problems, describedBy, area, onText }: Props) {
  const gutter = useRef<HTMLDivElement>(null)
  const lines = text.split('\n')
  const problemByLine = new Map(problems.map(({ line, message }) => [line, message]))
  return (
    <div class="yaml">
      <div class="gutter" ref={gutter} aria-hidden="true">
        {lines.map((_, i) => (
          <div
            key={i}
            class={problemByLine.has(i + 1) ? 'wrong' : ''}
            data-line={i + 1}
            title={problemByLine.get(i + 1)}
          >
            {problemByLine.has(i + 1) ? '✕ ' : ''}
            {i + 1}
          </div>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label="Scenario YAML"
        aria-invalid={problems.length > 0}
        aria-describedby={describedBy}
        spellcheck={false}
        autocomplete="off"
        wrap="off"
        rows={Math.min(32, Math.max(12, lines.length + 1))}
        value={text}
        onInput={event => onText(event.currentTarget.value)}
        onScroll={event => {
          gutter.current!.scrollTop = event.currentTarget.scrollTop
        }}
      />
    </div>
  )
}
