import { useSignal } from '@preact/signals'
import { confirmAction } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { act } from '../../state/actions.ts'
import { loadClock, loadScenario, sandboxControl, scenario } from '../../state/simulator.ts'
import { Editor } from './editor.tsx'
import { NamedScenarios } from './named-scenarios.tsx'
import { NewRule } from './new-rule.tsx'
import { Rules } from './rules.tsx'

async function stop() {
  const sentences = [
    'This removes its rules and assumptions, and sets the clock to real time.',
    'The state is unchanged. A reset restores the initial scenario of the sandbox.',
  ]
  if (await confirmAction({ title: 'Stop the scenario?', sentences, action: 'Stop' }))
    await act(async () => {
      await sandboxControl('DELETE', '/scenario')
      await Promise.all([loadScenario(), loadClock()])
    }, 'Scenario stopped.')
}

export function Scenario() {
  const adding = useSignal(false)
  const report = scenario.value
  if (!report) return <Loading />
  return (
    <div class="columns">
      <div class="stack">
        <Section
          title={report.name ?? 'No active scenario'}
          actions={
            report.name !== null && (
              <button type="button" class="button" onClick={stop}>
                Stop scenario…
              </button>
            )
          }
        >
          <p class="muted">{report.description}</p>
          <Rules rules={report.rules} />
        </Section>
        <Section title="Named scenarios">
          <NamedScenarios />
        </Section>
      </div>
      <Section
        title="Edit as YAML"
        actions={
          <button
            type="button"
            class="button"
            aria-haspopup="dialog"
            onClick={() => {
              adding.value = true
            }}
          >
            <Icon name="plus" /> New rule…
          </button>
        }
      >
        <Editor report={report} />
      </Section>
      {adding.value && (
        <NewRule
          onClose={() => {
            adding.value = false
          }}
        />
      )}
    </div>
  )
}
