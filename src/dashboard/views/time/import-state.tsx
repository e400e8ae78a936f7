import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { counted } from '../../../basics/text.ts'
import { ask } from '../../parts/ask-dialog.tsx'
import { FormError } from '../../parts/messages.tsx'
import { notify } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json } from '../../types.ts'
import { RequestError, toRequestError } from '../../wire/request-error.ts'

/** Kinds that are named one by one; the others are counted. */
const NAMED_KINDS = 5

/** How many records of each kind a fixture has, most first. */
const countsOf = (fixture: Json) =>
  Object.entries(fixture)
    .flatMap(([table, rows]): [string, number][] =>
      Array.isArray(rows) && rows.length > 0 ? [[table, rows.length]] : [],
    )
    .sort(([, a], [, b]) => b - a)

const sumOf = (fixture: Json) => countsOf(fixture).reduce((sum, [, count]) => sum + count, 0)

function describe(fixture: Json): string {
  const counts = countsOf(fixture)
  const named = counts.slice(0, NAMED_KINDS).map(([table, count]) => `${count} in ${table}`)
  const rest = counts.length - named.length
  return [...named, ...(rest > 0 ? [`the rest in ${counted(rest, 'other table')}`] : [])].join(', ')
}

async function read(file: File): Promise<Json> {
  let value: unknown
  try {
    value = JSON.parse(await file.text())
  } catch (error) {
    throw new RequestError(0, `${file.name} is not JSON: ${(error as Error).message}. Choose a fixture in JSON.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestError(0, `${file.name} is no fixture: it must be an object that has lists of records by table.`)
  return value as Json
}

/** Says what comes and what goes, and replaces the state if that is wanted. */
async function replaceState(file: File) {
  const fixture = await read(file)
  const present = sumOf(await sandboxControl<Json>('GET', '/state'))
  const records = counted(sumOf(fixture), 'record')
  const sentences = [
    `The whole state of the sandbox "${sandbox.value}", ${counted(present, 'record')}, is replaced by ${records}${sumOf(fixture) > 0 ? `: ${describe(fixture)}` : ''}.`,
    'Tokens that the file does not have stop working. The journal, the clock and the scenario stay. Save a snapshot first to be able to come back.',
  ]
  if (!(await ask({ title: `Import ${file.name}?`, sentences, action: 'Replace the state', danger: true }))) return
  await sandboxControl('PUT', '/state', { body: fixture })
  notify('done', `The state is that of ${file.name}: ${records}.`)
}

export function ImportState() {
  const input = useRef<HTMLInputElement>(null)
  const error = useSignal<RequestError | undefined>(undefined)
  async function take(file: File | undefined) {
    if (!file) return
    error.value = undefined
    try {
      await replaceState(file)
    } catch (thrown) {
      error.value = toRequestError(thrown)
    }
    // The same file, when it was corrected, can be chosen again.
    input.current!.value = ''
  }
  return (
    <>
      <button type="button" class="button" onClick={() => input.current!.click()}>
        Import from a file…
      </button>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label="A fixture in JSON"
        accept=".json,application/json"
        onChange={event => take(event.currentTarget.files?.[0])}
      />
      <p class="muted">Replaces the whole state by a fixture in JSON, after a question.</p>
      <FormError error={error.value} />
    </>
  )
}
