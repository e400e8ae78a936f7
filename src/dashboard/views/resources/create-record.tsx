import { useSignal } from '@preact/signals'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { startOf } from '../../parts/form-values.ts'
import { Failure, Loading } from '../../parts/messages.tsx'
import { goTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { listQuery } from './kinds.ts'
import { RecordEditor } from './record-editor.tsx'
import type { Made } from './write-record.ts'

interface Props {
  kind: Kind
  /** The record that the new one will be a part of. */
  parent?: string
}

/** Makes records: empty at first, or filled like the record that the address names. */
export function CreateRecord({ kind, parent }: Props) {
  const { like } = place.value.query
  if (like) return <MakeMore kind={kind} like={like} />
  const given = parent && kind.part_of ? { [kind.part_of.by]: parent } : undefined
  return <NewRecord kind={kind} given={given} parent={parent} draftId={parent ? `new ${parent}` : 'new'} />
}

/** What must differ, and secrets, are to be typed. */
const leftOut = ({ fields, distinct }: Kind) => [
  ...distinct,
  ...fields.filter(({ write_only }) => write_only).map(({ name }) => name),
]

function MakeMore({ kind, like }: { kind: Kind; like: string }) {
  const { data, error } = useRemote(`${sandbox.value} like ${kind.table} ${like}`, 0, signal =>
    sandboxControl<Row>('GET', `/db/${kind.table}/${encodeURIComponent(like)}`, { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const without = leftOut(kind)
  const given = Object.entries(startOf(kind.fields, data)).filter(([name]) => !without.includes(name))
  return (
    <>
      <p class="muted small-text">
        Filled in like <code>{like}</code>, without its id{without.map(name => `, ${name}`)}.
        {without.length > 0 && ' What is left out must differ, or is a secret.'}
      </p>
      <NewRecord kind={kind} given={Object.fromEntries(given)} draftId={`new like ${like}`} />
    </>
  )
}

interface NewProps extends Props {
  given?: Json
  draftId: string
}

function NewRecord({ kind, given, parent, draftId }: NewProps) {
  const made = useSignal<Made | undefined>(undefined)
  const leave = (done?: Made) => {
    const [only, ...more] = done?.records ?? []
    if (only && more.length === 0) goTo(['resources', kind.table, String(only.id)], listQuery())
    else if (parent) goTo(['resources', kind.part_of!.table, parent])
    else goTo(['resources', kind.table], listQuery())
  }
  // What is half done stays, to be tried again.
  const end = (done?: Made) => (!done || done.whole ? leave(done) : undefined)
  const done = (all?: Made) => {
    if (all?.records.some(({ token }) => typeof token === 'string')) made.value = all
    else end(all)
  }
  return (
    <>
      <RecordEditor kind={kind} given={given} draftId={draftId} focus onDone={done} />
      {made.value && (
        <TokensOnce
          records={made.value.records}
          onClose={() => {
            const all = made.value
            made.value = undefined
            end(all)
          }}
        />
      )}
    </>
  )
}

function TokensOnce({ records, onClose }: { records: Json[]; onClose(): void }) {
  const [only, ...more] = records
  const text = more.length > 0 ? records.map(({ id, token }) => `${id} ${token}`).join('\n') : String(only!.token)
  return (
    <Dialog
      title={more.length > 0 ? 'The tokens are shown only once' : 'The token is shown only once'}
      onClose={onClose}
    >
      <p>
        Only {more.length > 0 ? 'hashes are' : 'its hash is'} kept, so no later answer shows the token of{' '}
        {more.length > 0 ? 'any of them' : <code>{String(only!.id)}</code>} again.
      </p>
      <p class="secret">
        <code class="wrap pre">{text}</code>
      </p>
      <div class="dialog-actions">
        <CopyButton text={text} what={more.length > 0 ? 'the tokens' : 'the token'} label="Copy" />
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
