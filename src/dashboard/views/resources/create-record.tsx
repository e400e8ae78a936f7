import { useSignal } from '@preact/signals'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { goTo, place } from '../../state/place.ts'
import type { Json, Kind } from '../../types.ts'
import { RawEditor } from './raw-editor.tsx'
import { RecordForm } from './record-form.tsx'

/** Through the API where it has a route for it, else straight into the state. */
export function CreateRecord({ kind }: { kind: Kind }) {
  const created = useSignal<Json | undefined>(undefined)
  const leave = (answer?: Json) =>
    goTo(answer ? ['resources', kind.table, String(answer.id)] : ['resources', kind.table], place.value.query)
  const done = (answer?: Json) => {
    if (typeof answer?.token === 'string') created.value = answer
    else leave(answer)
  }
  return (
    <>
      {kind.path ? <RecordForm kind={kind} onDone={done} /> : <RawEditor kind={kind} onDone={done} />}
      {created.value && <TokenOnce answer={created.value} onClose={() => leave(created.value)} />}
    </>
  )
}

function TokenOnce({ answer, onClose }: { answer: Json; onClose(): void }) {
  const token = String(answer.token)
  return (
    <Dialog title="The token, this once" onClose={onClose}>
      <p>
        Only its hash is kept: no later answer shows the token of <code>{String(answer.id)}</code> again.
      </p>
      <p class="secret">
        <code class="wrap">{token}</code>
      </p>
      <div class="dialog-actions">
        <CopyButton text={token} what="the token" label="Copy" />
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
