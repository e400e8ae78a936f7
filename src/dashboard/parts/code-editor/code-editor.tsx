import { useLayoutEffect, useRef } from 'preact/hooks'
import { useRemote } from '../../state/remote.ts'
import type { Editing, openEditor } from './code-mirror.ts'

/** An editor for YAML or JSON with completion. Until it's loaded, the text is shown. */
export function CodeEditor({ minLines = 0, ...editing }: Editing & { minLines?: number }) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<ReturnType<typeof openEditor> | undefined>(undefined)
  const { data: loaded, error } = useRemote('code editor', 0, () => import('./code-mirror.ts'))
  useLayoutEffect(() => {
    editor.current = loaded?.openEditor(host.current!, editing)
    return () => editor.current?.close()
  }, [loaded])
  useLayoutEffect(() => editor.current?.update(editing))

  return (
    // With padding and border, see styles/code-editor.css.
    <div class="code-editor" style={{ minHeight: `${minLines * 19 + 18}px` }}>
      {error && <p class="bad-text">Cannot load the editor. Reload the dashboard to try again.</p>}
      {!loaded && <pre>{editing.text}</pre>}
      <div ref={host} />
    </div>
  )
}
