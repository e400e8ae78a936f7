import { useRef } from 'preact/hooks'
import { isObject } from '../../../basics/json.ts'
import { counted } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { confirmAction } from '../../parts/dialog.tsx'
import { FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { sorted } from '../../state/lists.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json } from '../../types.ts'

/** Tables listed by name. The others are counted. */
const MAX_NAMED_TABLES = 5

/** Records per table, largest first. */
function countsOf(fixture: Json) {
  const lists = Object.entries(fixture).filter(([, rows]) => Array.isArray(rows)) as [string, unknown[]][]
  const counts = lists.map(([table, rows]) => ({ table, count: rows.length })).filter(({ count }) => count > 0)
  return sorted(counts, ({ count }) => count, true)
}

const sumOf = (fixture: Json) => countsOf(fixture).reduce((sum, { count }) => sum + count, 0)

function describe(fixture: Json): string {
  const counts = countsOf(fixture)
  const named = counts.slice(0, MAX_NAMED_TABLES).map(({ table, count }) => `${count} in ${table}`)
  const rest = counts.length - named.length
  return named.join(', ') + (rest > 0 ? `, the rest in ${counted(rest, 'other table')}` : '')
}

/** Parses JSON or YAML. The YAML parser is loaded when it is needed. */
async function parseFixture(file: File): Promise<Json> {
  const isYaml = /\.ya?ml$/i.test(file.name)
  const text = await file.text()
  let value: unknown
  try {
    value = isYaml ? (await import('yaml')).parse(text, { schema: 'core' }) : JSON.parse(text)
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`Cannot import ${file.name}: invalid ${isYaml ? 'YAML' : 'JSON'} (${reason}). Choose a fixture.`)
  }
  if (isObject(value)) return value
  throw new Error(`Cannot import ${file.name}: a fixture must be an object with a list of records per table.`)
}

/** Replaces the state after confirmation. Returns the message of success. */
async function replaceState(file: File) {
  const fixture = await parseFixture(file)
  const current = sumOf(await sandboxControl<Json>('GET', '/state'))
  const records = counted(sumOf(fixture), 'record')
  const sentences = [
    `This replaces the state of sandbox "${sandbox.value}" (${counted(current, 'record')}) with ${records}${sumOf(fixture) > 0 ? `: ${describe(fixture)}` : ''}.`,
    'Tokens missing from the file stop working. Request log, clock and scenario are unchanged. To be able to restore the current state, save a snapshot first.',
  ]
  if (!(await confirmAction({ title: `Import ${file.name}?`, sentences, action: 'Replace state', danger: true })))
    return undefined
  await sandboxControl('PUT', '/state', { body: fixture })
  return `Imported ${file.name}: ${records}.`
}

export function ImportState() {
  const input = useRef<HTMLInputElement>(null)
  const { submit, error } = useSubmit(async () => {
    const file = input.current!.files![0]!
    // Allows choosing the same file again.
    input.current!.value = ''
    return replaceState(file)
  })
  return (
    <>
      <Button onClick={() => input.current!.click()}>Import fixture…</Button>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label="Fixture file"
        accept=".json,.yaml,.yml,application/json"
        onChange={submit}
      />
      <p class="muted">Replaces the entire state with a JSON or YAML fixture, after confirmation.</p>
      <FormError error={error} />
    </>
  )
}
