import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { counted } from '../../../basics/text.ts'
import { CodeEditor } from '../../parts/code-editor/code-editor.tsx'
import type { Editing } from '../../parts/code-editor/code-mirror.ts'
import { Failure, Loading } from '../../parts/messages.tsx'
import { act } from '../../state/actions.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl, scenario } from '../../state/simulator.ts'
import type { Problem, ScenarioReport } from '../../types.ts'
import { toRequestError } from '../../wire/request-error.ts'
import { draft, scenarioText, setDraft, withoutCounters } from './scenario-text.ts'

const CHECK_AFTER_MS = 300

type Verdict = { text: string; problems: Problem[]; other?: string; rules?: number }

/** Validates the text without activating it. */
async function check(text: string, signal: AbortSignal): Promise<Verdict> {
  try {
    const { rules } = await sandboxControl<{ rules: number }>('PUT', '/scenario?dry_run=true', {
      body: { yaml: text },
      signal,
    })
    return { text, problems: [], rules }
  } catch (error) {
    const { message, problems } = toRequestError(error)
    return { text, problems, other: problems.length === 0 ? message : undefined }
  }
}

/** An editor for the active scenario. */
export function Editor({ report }: { report: ScenarioReport }) {
  const version = JSON.stringify(withoutCounters(report))
  const { data, error } = useRemote('scenario text', version, signal => scenarioText(report, signal))
  const text = draft.value ?? data
  if (text !== undefined) return <TextEditor text={text} />
  return error ? <Failure error={error} /> : <Loading />
}

/** Validates while the user types. */
function TextEditor({ text }: { text: string }) {
  const verdict = useSignal<Verdict | undefined>(undefined)
  const focusAt = useSignal<Editing['focusAt']>(undefined)
  const id = useId()

  useEffect(() => {
    const ending = new AbortController()
    const timer = setTimeout(async () => {
      const found = await check(text, ending.signal)
      if (!ending.signal.aborted) verdict.value = found
    }, CHECK_AFTER_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text, verdict])

  const current = verdict.value?.text === text ? verdict.value : undefined
  const problems = verdict.value?.problems ?? []
  const disabledBecause = !current ? 'Checking…' : current.rules === undefined && 'Fix the problems above first.'
  const activate = () =>
    act(async () => {
      scenario.value = await sandboxControl<ScenarioReport>('PUT', '/scenario', { body: { yaml: text } })
      setDraft(undefined)
    }, 'Scenario activated. Counters start at zero.')

  return (
    <div class="editor">
      <CodeEditor
        label="Scenario YAML"
        language="yaml"
        schema="scenario"
        text={text}
        onText={setDraft}
        problems={verdict.value?.problems}
        describedBy={id}
        focusAt={focusAt.value}
        fill
      />
      <div id={id} class="verdict" role="status">
        {current?.rules !== undefined && <p class="good-text">✓ Valid, {counted(current.rules, 'rule')}.</p>}
        {current?.other && <p class="bad-text">✕ {current.other}</p>}
        {problems.length > 0 && (
          <ul class="problems">
            {problems.map(({ line, column, message }) => (
              <li key={`${line}:${column} ${message}`}>
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    focusAt.value = { line, column }
                  }}
                >
                  Line {line}
                </button>{' '}
                {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button primary" disabled={!!disabledBecause} onClick={activate}>
          Activate scenario
        </button>
        <button type="button" class="button" disabled={draft.value === undefined} onClick={() => setDraft(undefined)}>
          Discard changes
        </button>
        {disabledBecause && <span class="muted">{disabledBecause}</span>}
        <p class="muted small-text">
          Replaces rules, assumptions, clock and seed, resets counters, and applies its state to the current state.
        </p>
      </div>
    </div>
  )
}
