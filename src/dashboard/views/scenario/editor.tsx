import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { counted } from '../../../basics/text.ts'
import { Failure, Loading } from '../../parts/messages.tsx'
import { act } from '../../state/actions.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl, scenario } from '../../state/simulator.ts'
import type { Problem, ScenarioReport } from '../../types.ts'
import { toRequestError } from '../../wire/request-error.ts'
import { draft, scenarioText, setDraft, withoutCounters } from './scenario-text.ts'
import { YamlText } from './yaml-text.tsx'

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
  const area = useRef<HTMLTextAreaElement>(null)
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
  const valid = current !== undefined && current.rules !== undefined
  const activate = () =>
    act(async () => {
      scenario.value = await sandboxControl<ScenarioReport>('PUT', '/scenario', { body: { yaml: text } })
      setDraft(undefined)
    }, 'Scenario activated. Counters start at zero.')

  return (
    <div class="editor">
      <YamlText text={text} problems={problems} onText={setDraft} describedBy={id} area={area} />
      <div id={id} class="verdict" role="status">
        {!current && <p class="muted">Checking…</p>}
        {valid && <p class="good-text">✓ Valid, {counted(current.rules!, 'rule')}.</p>}
        {current?.other && <p class="bad-text">✕ {current.other}</p>}
        {problems.length > 0 && (
          <ul class="problems">
            {problems.map(({ line, column, message }) => (
              <li key={`${line}:${column} ${message}`}>
                <button type="button" class="link" onClick={() => moveTo(area.current!, line, column)}>
                  Line {line}
                </button>{' '}
                {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button primary" disabled={!valid || draft.value === undefined} onClick={activate}>
          Activate scenario
        </button>
        <button type="button" class="button" disabled={draft.value === undefined} onClick={() => setDraft(undefined)}>
          Discard changes
        </button>
        <p class="muted small-text">
          Replaces rules, assumptions, clock and seed, resets counters, and applies its state to the current state.
        </p>
      </div>
    </div>
  )
}

function moveTo(area: HTMLTextAreaElement, line: number, column: number) {
  const before = area.value.split('\n').slice(0, line - 1)
  const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1
  area.focus()
  area.setSelectionRange(at, at)
}
