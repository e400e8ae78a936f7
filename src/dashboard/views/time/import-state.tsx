import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { counted } from '../../../basics/text.ts'
import { confirmAction } from '../../parts/dialog.tsx'
import { FormError } from '../../parts/messages.tsx'
import { notify } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json } from '../../types.ts'
import { RequestError, toRequestError } from '../../wire/request-error.ts'

/** Tables listed by name. The others are counted. */
const MAX_NAMED_TABLES = 5

/** Records per table, largest first. */
const countsOf = (fixture: Json) =>
  Object.entries(fixture)
    .flatMap(([table, rows]): [string, number][] =>
      Array.isArray(rows) && rows.length > 0 ? [[table, rows.length]] : [],
    )
    .sort(([, a], [, b]) => b - a)

const sumOf = (fixture: Json) => countsOf(fixture).reduce((sum, [, count]) => sum + count, 0)

function describe(fixture: Json): string {
  const counts = countsOf(fixture)
  const named = counts.slice(0, MAX_NAMED_TABLES).map(([table, count]) => `${count} in ${table}`)
  const rest = counts.length - named.length
  return [...named, ...(rest > 0 ? [`the rest in ${counted(rest, 'other table')}`] : [])].join(', ')
}

async function parseFixture(file: File): Promise<Json> {
  let value: unknown
  try {
    value = JSON.parse(await file.text())
  } catch (error) {
    throw new RequestError(
      0,
      `Cannot import ${file.name}: invalid JSON (${(error as Error).message}). Choose a JSON fixture.`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RequestError(
      0,
      `Cannot import ${file.name}: a fixture must be an object with a list of records per table.`,
    )
  return value as Json
}

/** Replaces the state after confirmation. */
async function replaceState(file: File) {
  const fixture = await parseFixture(file)
  const current = sumOf(await sandboxControl<Json>('GET', '/state'))
  const records = counted(sumOf(fixture), 'record')
  const sentences = [
    `This replaces the state of sandbox "${sandbox.value}" (${counted(current, 'record')}) with ${records}${sumOf(fixture) > 0 ? `: ${describe(fixture)}` : ''}.`,
    'Tokens missing from the file stop working. Request log, clock and scenario are unchanged. To be able to restore the current state, save a snapshot first.',
  ]
  if (!(await confirmAction({ title: `Import ${file.name}?`, sentences, action: 'Replace state', danger: true })))
    return
  await sandboxControl('PUT', '/state', { body: fixture })
  notify('done', `Imported ${file.name}: ${records}.`)
}

export function ImportState() {
  const input = useRef<HTMLInputElement>(null)
  const error = useSignal<RequestError | undefined>(undefined)
  async function importFile(file: File | undefined) {
    if (!file) return
    error.value = undefined
    try {
      await replaceState(file)
    } catch (thrown) {
      error.value = toRequestError(thrown)
    }
    // Allows choosing the same file again.
    input.current!.value = ''
  }
  return (
    <>
      <button type="button" class="button" onClick={() => input.current!.click()}>
        Import fixture…
      </button>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label="JSON fixture"
        accept=".json,application/json"
        onChange={event => importFile(event.currentTarget.files?.[0])}
      />
      <p class="muted">Replaces the entire state with a JSON fixture, after confirmation.</p>
      <FormError error={error.value} />
    </>
  )
}
