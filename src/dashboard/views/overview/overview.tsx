import { Empty } from '../../parts/messages.tsx'
import { Fact, Section } from '../../parts/section.tsx'
import { durationOf, longTime, Method, Status } from '../../parts/status.tsx'
import { entries } from '../../state/journal.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { clock, info, sandboxes, scenario } from '../../state/simulator.ts'
import type { ClockInfo } from '../../types.ts'
import { Charts } from './charts.tsx'
import { Failures } from './failures.tsx'
import { Start } from './start.tsx'

const MAX_LATEST = 8

/** Placeholder while loading. */
const UNKNOWN = '…'

const kindOf = ({ frozen, real }: ClockInfo) => (frozen ? 'frozen' : real ? 'real time' : 'shifted')

function sandboxCount(count: number): string {
  if (count === 0) return UNKNOWN
  return count > 1 ? `one of ${count}` : 'only sandbox'
}

function SandboxFacts() {
  const fired = scenario.value?.rules.reduce((sum, rule) => sum + rule.fired, 0) ?? 0
  return (
    <Section title="This sandbox">
      <dl class="facts">
        <Fact name="Sandbox">
          {sandbox.value}
          <span class="muted">{sandboxCount(sandboxes.value.length)}</span>
        </Fact>
        <Fact name="Fixture">{info.value?.fixture ?? UNKNOWN}</Fact>
        <Fact name="Scenario">
          <a href={hrefTo(['scenario'])}>{scenario.value ? (scenario.value.name ?? 'none') : UNKNOWN}</a>
          {scenario.value?.name && <span class="muted number">rules fired {fired} times</span>}
        </Fact>
        <Fact name="Clock">
          <a href={hrefTo(['time'])}>{clock.value ? kindOf(clock.value) : UNKNOWN}</a>
          {clock.value && !clock.value.real && <span class="muted number">{longTime(clock.value.now)}</span>}
        </Fact>
      </dl>
    </Section>
  )
}

function Latest() {
  const latest = entries.value.slice(0, MAX_LATEST)
  return (
    <Section title="Latest requests" actions={<a href={hrefTo(['requests'])}>All requests</a>}>
      {latest.length === 0 ? (
        <Empty icon="requests" title="No requests yet">
          Point a client at the base URL, or run the curl command above. Requests appear here immediately.
        </Empty>
      ) : (
        <ul class="latest">
          {latest.map(entry => (
            <li key={entry.id}>
              <a href={hrefTo(['requests', entry.id])}>
                <Status status={entry.status} />
                <Method method={entry.method} />
                <span class="grow clip">{entry.path}</span>
                <span class="muted number">{durationOf(entry)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

export function Overview() {
  return (
    <div class="overview">
      <Charts />
      <div class="stack">
        <Start />
        <Latest />
      </div>
      <div class="stack">
        <SandboxFacts />
        <Section title="Errors by type">
          <Failures />
        </Section>
      </div>
    </div>
  )
}
