import { CopyButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { initialValues } from '../../parts/form-values.ts'
import { Loaded } from '../../parts/messages.tsx'
import { listQuery } from '../../state/kinds.ts'
import { goTo, place } from '../../state/place.ts'
import { storedAt } from '../../state/records.ts'
import { useGet } from '../../state/simulator.ts'
import type { Json, Kind, Row } from '../../types.ts'
import { showDialog } from './batch.tsx'
import { type Created, RecordEditor } from './record-editor.tsx'
import type { EditorStart } from './use-draft.ts'

/** Creates records: empty, part of a parent, or prefilled from the record in the URL. */
export function CreateRecord({ kind, parent }: { kind: Kind; parent?: string }) {
  const { like } = place.value.query
  if (like) return <DuplicateRecord kind={kind} like={like} />
  const given = parent && kind.part_of ? { [kind.part_of.by]: parent } : undefined
  return <NewRecord kind={kind} given={given} parent={parent} draftId={parent ? `new ${parent}` : 'new'} />
}

function DuplicateRecord({ kind, like }: { kind: Kind; like: string }) {
  const original = useGet<Row>(storedAt(kind, like), 0)
  const secrets = kind.fields.filter(({ write_only }) => write_only).map(({ name }) => name)
  const omitted = [...kind.distinct, ...secrets]
  const copied = kind.fields.filter(({ name }) => !omitted.includes(name))
  return (
    <Loaded from={original}>
      {row => (
        <>
          <p class="muted small-text">
            Copied from <code>{like}</code>, except id{omitted.map(name => `, ${name}`)}.
            {omitted.length > 0 && ' Omitted fields must be unique or are secret.'}
          </p>
          <NewRecord kind={kind} given={initialValues(copied, row)} draftId={`new like ${like}`} />
        </>
      )}
    </Loaded>
  )
}

function NewRecord({ parent, ...start }: EditorStart & { parent?: string }) {
  const { kind } = start
  async function leave({ records, complete }: Created) {
    const hasTokens = records.some(({ token }) => typeof token === 'string')
    if (hasTokens) await showDialog(close => <TokensOnce records={records} onClose={() => close()} />)
    // A partly failed form remains open, to try again.
    if (!complete) return
    const [only, ...more] = records
    if (only && more.length === 0) goTo(['resources', kind.table, String(only.id)], listQuery())
    else if (parent) goTo(['resources', kind.part_of!.table, parent])
    else goTo(['resources', kind.table], listQuery())
  }
  return <RecordEditor {...start} onDone={leave} />
}

/** IDs and tokens, one record per line. */
function TokensOnce({ records, onClose }: { records: Json[]; onClose(): void }) {
  const one = records.length === 1
  const lines = records.map(({ id, token }) => `${id} ${token}`)
  return (
    <Dialog
      title={one ? 'The token is shown only once' : `The ${records.length} tokens are shown only once`}
      onClose={onClose}
      wide
      close="Done"
      actions={!one && <CopyButton text={lines.join('\n')} what="all IDs and tokens" label="Copy all" />}
    >
      <p>Copy {one ? 'it' : 'them'} now. edgesim stores only a hash.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <ul class="secrets mono" tabIndex={0} aria-label="IDs and tokens">
        {records.map(({ id, token }) => (
          <li key={String(id)}>
            <CopyButton text={String(token)} what={`token of ${id}`} />
            <span>{String(id)}</span> <span class="secret">{String(token)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
