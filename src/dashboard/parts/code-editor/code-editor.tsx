import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Editing, openEditor } from './code-mirror.ts'

interface Props extends Editing {
  minLines?: number
  maxLines?: number
  /** As tall as its container, instead of its text. */
  fill?: boolean
}

/** With padding and border, see styles/code-editor.css. */
const heightOf = (lines: number | undefined) => lines && `${lines * 19 + 18}px`

/** An editor for YAML or JSON with completion. Until it's loaded, the text is shown. */
export function CodeEditor({ minLines, maxLines, fill, ...editing }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const newest = useRef(editing)
  newest.current = editing
  const [editor, setEditor] = useState<ReturnType<typeof openEditor> | undefined>(undefined)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    let close = () => {}
    let unmounted = false
    import('./code-mirror.ts').then(
      loaded => {
        if (unmounted) return
        const opened = loaded.openEditor(host.current!, newest.current)
        close = opened.close
        setEditor(opened)
      },
      () => setFailed(true),
    )
    return () => {
      unmounted = true
      close()
    }
  }, [])
  useLayoutEffect(() => editor?.update(editing))

  return (
    <div
      class={`code-editor ${fill ? 'fill' : ''}`}
      style={{ minHeight: heightOf(minLines), maxHeight: heightOf(maxLines) }}
    >
      {failed && <p class="bad-text">Cannot load the editor. Reload the dashboard to try again.</p>}
      {!editor && <pre>{editing.text}</pre>}
      <div ref={host} />
    </div>
  )
}
