import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { setter } from '../../state/signals.ts'
import { loadClock, loadScenario, sandboxControl, scenario } from '../../state/simulator.ts'
import { Editor } from './editor.tsx'
import { NamedScenarios } from './named-scenarios.tsx'
import { NewRule } from './new-rule.tsx'
import { Rules } from './rules.tsx'

const stop = () =>
  actIfConfirmed({
    title: 'Stop the scenario?',
    sentences: [
      'This removes its rules and assumptions, and sets the clock to real time.',
      'The state is unchanged. A reset restores the initial scenario of the sandbox.',
    ],
    action: 'Stop',
    run: async () => {
      await sandboxControl('DELETE', '/scenario')
      await Promise.all([loadScenario(), loadClock()])
    },
    done: 'Scenario stopped.',
  })

export function Scenario() {
  const adding = useSignal(false)
  const report = scenario.value
  if (!report) return <Loading />
  const newRule = (
    <Button icon="plus" opens onClick={setter(adding, true)}>
      New rule…
    </Button>
  )
  return (
    <div class="columns">
      <div class="stack">
        <Section
          title={report.name ?? 'No active scenario'}
          actions={report.name !== null && <Button onClick={stop}>Stop scenario…</Button>}
        >
          <p class="muted">{report.description}</p>
          <Rules rules={report.rules} />
        </Section>
        <Section title="Named scenarios">
          <NamedScenarios />
        </Section>
      </div>
      <Section title="Edit as YAML" actions={newRule}>
        <Editor report={report} />
      </Section>
      {adding.value && <NewRule onClose={setter(adding, false)} />}
    </div>
  )
}
