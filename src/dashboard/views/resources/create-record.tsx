import { useSignal } from '@preact/signals'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { goTo, place } from '../../state/place.ts'
import type { Json, Kind } from '../../types.ts'
import { can } from './kinds.ts'
import { RawEditor } from './raw-editor.tsx'
import { RecordForm } from './record-form.tsx'

interface Props {
  kind: Kind
  /** The record that the new one will be a part of. */
  parent?: string
}

/** Creates a record through the API if that can, else directly in the state. */
export function CreateRecord({ kind, parent }: Props) {
  const created = useSignal<Json | undefined>(undefined)
  const given = parent && kind.part_of ? { [kind.part_of.by]: parent } : undefined
  const leave = (answer?: Json) => {
    if (answer) goTo(['resources', kind.table, String(answer.id)], place.value.query)
    else if (given) goTo(['resources', kind.part_of!.table, parent!])
    else goTo(['resources', kind.table], place.value.query)
  }
  const done = (answer?: Json) => {
    if (typeof answer?.token === 'string') created.value = answer
    else leave(answer)
  }
  return (
    <>
      {can(kind, 'create') ? (
        <RecordForm kind={kind} given={given} onDone={done} />
      ) : (
        <RawEditor kind={kind} given={given} onDone={done} />
      )}
      {created.value && <TokenOnce answer={created.value} onClose={() => leave(created.value)} />}
    </>
  )
}

function TokenOnce({ answer, onClose }: { answer: Json; onClose(): void }) {
  const token = String(answer.token)
  return (
    <Dialog title="The token is shown only once" onClose={onClose}>
      <p>
        Only its hash is kept, so no later answer shows the token of <code>{String(answer.id)}</code> again.
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
