import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { counted } from '../../../basics/text.ts'
import { Button, CopyButton } from '../../parts/button.tsx'
import { CodeEditor } from '../../parts/code-editor/code-editor.tsx'
import type { Editing } from '../../parts/code-editor/code-mirror.ts'
import { Failure, Loading } from '../../parts/messages.tsx'
import { act } from '../../state/actions.ts'
import { useRemote } from '../../state/remote.ts'
import { setter, writer } from '../../state/signals.ts'
import { sandboxControl, scenario } from '../../state/simulator.ts'
import type { ScenarioReport } from '../../types.ts'
import { pause } from '../../wire/events.ts'
import { toRequestError } from '../../wire/request-error.ts'
import { activate, asWritten, draft, scenarioText } from './scenario-text.ts'

const CHECK_AFTER_MS = 300

/** Validates the text without activating it, a moment after it was typed. */
async function check(text: string, signal: AbortSignal) {
  await pause(CHECK_AFTER_MS, signal)
  const options = { body: { yaml: text }, signal }
  return sandboxControl<{ rules: number }>('PUT', '/scenario?dry_run=true', options).then(
    ({ rules }) => ({ text, rules, error: undefined }),
    error => ({ text, rules: undefined, error: toRequestError(error) }),
  )
}

/** An editor for the active scenario. */
export function Editor({ report }: { report: ScenarioReport }) {
  const version = JSON.stringify(asWritten(report))
  const { data, error } = useRemote('scenario text', version, signal => scenarioText(report, signal))
  const text = draft.value ?? data
  if (text !== undefined) return <TextEditor text={text} />
  return error ? <Failure error={error} /> : <Loading />
}

/** A seed that isn't in the text. */
function Seed() {
  const { seed, seed_source } = scenario.value!
  if (seed === undefined || seed_source === 'scenario') return null
  return (
    <p class="seed muted small-text">
      {seed_source === 'generated' ? 'Generated seed:' : 'Seed of the sandbox:'} <code class="clip">{seed}</code>
      <CopyButton text={`seed: ${JSON.stringify(String(seed))}`} what="seed as YAML" />
    </p>
  )
}

/** Validates while the user types. */
function TextEditor({ text }: { text: string }) {
  const { data: verdict } = useRemote('verdict', text, signal => check(text, signal))
  const focusAt = useSignal<Editing['focusAt']>(undefined)
  const id = useId()
  const current = verdict?.text === text ? verdict : undefined
  const problems = verdict?.error?.problems ?? []
  const obstacle = !current ? 'Checking…' : current.rules === undefined && 'Fix the problems above first.'
  return (
    <div class="editor">
      <CodeEditor
        label="Scenario YAML"
        language="yaml"
        schema="scenario"
        text={text}
        onText={writer(draft)}
        problems={verdict?.error?.problems}
        describedBy={id}
        focusAt={focusAt.value}
      />
      <div id={id} class="verdict" role="status">
        {current?.rules !== undefined && <p class="good-text">✓ Valid, {counted(current.rules, 'rule')}.</p>}
        {current?.error && problems.length === 0 && <p class="bad-text">✕ {current.error.message}</p>}
        {problems.length > 0 && (
          <ul class="problems">
            {problems.map(({ line, column, message }) => (
              <li key={`${line}:${column} ${message}`}>
                <button type="button" class="link" onClick={setter(focusAt, { line, column })}>
                  Line {line}
                </button>{' '}
                {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Seed />
      <div class="actions">
        <Button
          look="primary"
          disabled={!!obstacle}
          onClick={() => act(() => activate({ yaml: text }), 'Scenario activated. Counters start at zero.')}
        >
          Activate scenario
        </Button>
        <Button disabled={draft.value === undefined} onClick={setter(draft, undefined)}>
          Discard changes
        </Button>
        {obstacle && <span class="muted">{obstacle}</span>}
        <p class="muted small-text">
          Replaces rules, assumptions, clock and seed, resets counters, and applies its state to the current state.
        </p>
      </div>
    </div>
  )
}
