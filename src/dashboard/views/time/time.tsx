import { useRef } from 'preact/hooks'
import { isObject } from '../../../basics/json.ts'
import { counted } from '../../../basics/text.ts'
import { Button } from '../../parts/button.tsx'
import { actIfConfirmed, confirmAction } from '../../parts/dialog.tsx'
import { FormError } from '../../parts/messages.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { act, useSubmit } from '../../state/actions.ts'
import { sorted, sumOf } from '../../state/lists.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json } from '../../types.ts'
import { ClockCard } from './clock-card.tsx'
import { Snapshots } from './snapshots.tsx'

const reset = () =>
  actIfConfirmed({
    title: 'Reset the sandbox?',
    sentences: [
      `This resets state, request log, clock, scenario and counters of sandbox "${sandbox.value}" to their initial values.`,
      'Requests in progress fail. Snapshots are unchanged. To be able to restore the current state, save a snapshot first.',
    ],
    action: 'Reset',
    danger: true,
    run: () => sandboxControl('POST', '/reset'),
    done: 'Sandbox reset.',
  })

const stateText = async () => JSON.stringify(await sandboxControl('GET', '/state'), null, 2)

const copyState = () =>
  act(async () => navigator.clipboard.writeText(await stateText()), 'Copied the state as a fixture.')

const downloadState = () => act(async () => saveFile(`edgesim-${sandbox.value}-state.json`, await stateText()))

/** Tables listed by name. The others are counted. */
const MAX_NAMED_TABLES = 5

/** The number of records, in total and per table, the largest first. */
function countRecords(fixture: Json) {
  const sizes = Object.entries(fixture).map(([table, rows]) => ({ table, size: Array.isArray(rows) ? rows.length : 0 }))
  const filled = sorted(sizes, ({ size }) => size, true).filter(({ size }) => size > 0)
  const named = filled.slice(0, MAX_NAMED_TABLES).map(({ table, size }) => `${size} in ${table}`)
  const others = filled.length - named.length
  return {
    total: counted(
      sumOf(filled, ({ size }) => size),
      'record',
    ),
    tables: named.join(', ') + (others > 0 ? `, the rest in ${counted(others, 'other table')}` : ''),
  }
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
  const { total: current } = countRecords(await sandboxControl<Json>('GET', '/state'))
  const { total, tables } = countRecords(fixture)
  const sentences = [
    `This replaces the state of sandbox "${sandbox.value}" (${current}) with ${total}${tables && `: ${tables}`}.`,
    'Tokens missing from the file stop working. Request log, clock and scenario are unchanged. To be able to restore the current state, save a snapshot first.',
  ]
  if (!(await confirmAction({ title: `Import ${file.name}?`, sentences, action: 'Replace state', danger: true })))
    return undefined
  await sandboxControl('PUT', '/state', { body: fixture })
  return `Imported ${file.name}: ${total}.`
}

function ImportState() {
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

export const Time = () => (
  <div class="columns">
    <ClockCard />
    <div class="stack">
      <Snapshots />
      <Section title="State">
        <ul class="choices-list">
          <li>
            <Button look="danger" onClick={reset}>
              Reset…
            </Button>
            <p class="muted">Restores the initial state, request log, clock, scenario and counters.</p>
          </li>
          <li>
            <div class="actions">
              <Button onClick={downloadState}>Download fixture</Button>
              <Button onClick={copyState}>Copy fixture</Button>
            </div>
            <p class="muted">Exports the entire state as a fixture. The state is unchanged.</p>
          </li>
          <li>
            <ImportState />
          </li>
        </ul>
      </Section>
    </div>
  </div>
)
