import { useSignal } from '@preact/signals'
import { CopyButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { initialValues } from '../../parts/form-values.ts'
import { Failure, Loading } from '../../parts/messages.tsx'
import { listQuery } from '../../state/kinds.ts'
import { goTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { RecordEditor } from './record-editor.tsx'
import type { Created } from './write-record.ts'

interface Props {
  kind: Kind
  /** The parent of the new record. */
  parent?: string
}

/** Creates records: empty, or prefilled from the record in the URL. */
export function CreateRecord({ kind, parent }: Props) {
  const { like } = place.value.query
  if (like) return <DuplicateRecord kind={kind} like={like} />
  const given = parent && kind.part_of ? { [kind.part_of.by]: parent } : undefined
  return <NewRecord kind={kind} given={given} parent={parent} draftId={parent ? `new ${parent}` : 'new'} />
}

/** Unique fields and secrets. */
const notCopied = ({ fields, distinct }: Kind) => [
  ...distinct,
  ...fields.filter(({ write_only }) => write_only).map(({ name }) => name),
]

function DuplicateRecord({ kind, like }: { kind: Kind; like: string }) {
  const { data, error } = useRemote(`${sandbox.value} like ${kind.table} ${like}`, 0, signal =>
    sandboxControl<Row>('GET', `/db/${kind.table}/${encodeURIComponent(like)}`, { signal }),
  )
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const omitted = notCopied(kind)
  const given = Object.entries(initialValues(kind.fields, data)).filter(([name]) => !omitted.includes(name))
  return (
    <>
      <p class="muted small-text">
        Copied from <code>{like}</code>, except id{omitted.map(name => `, ${name}`)}.
        {omitted.length > 0 && ' Omitted fields must be unique or are secret.'}
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
  const created = useSignal<Created | undefined>(undefined)
  const leave = (done?: Created) => {
    const [only, ...more] = done?.records ?? []
    if (only && more.length === 0) goTo(['resources', kind.table, String(only.id)], listQuery())
    else if (parent) goTo(['resources', kind.part_of!.table, parent])
    else goTo(['resources', kind.table], listQuery())
  }
  // A partly failed form remains open, to try again.
  const end = (done?: Created) => (!done || done.complete ? leave(done) : undefined)
  const done = (all?: Created) => {
    if (all?.records.some(({ token }) => typeof token === 'string')) created.value = all
    else end(all)
  }
  return (
    <>
      <RecordEditor kind={kind} given={given} draftId={draftId} focus onDone={done} />
      {created.value && (
        <TokensOnce
          records={created.value.records}
          onClose={() => {
            const all = created.value
            created.value = undefined
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
      close="Done"
      actions={<CopyButton text={text} what={more.length > 0 ? 'tokens' : 'token'} label="Copy" />}
    >
      <p>
        Copy {more.length > 0 ? 'the tokens' : 'the token'} now. edgesim stores only{' '}
        {more.length > 0 ? 'their hashes' : 'its hash'}.
      </p>
      <p class="secret">
        <code class="wrap pre">{text}</code>
      </p>
    </Dialog>
  )
}
