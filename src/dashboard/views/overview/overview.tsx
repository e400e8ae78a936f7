import { Empty } from '../../parts/messages.tsx'
import { Fact, Section } from '../../parts/section.tsx'
import { durationOf, longTime, Method, Status } from '../../parts/status.tsx'
import { failureOf, hasFailed, reasonOf } from '../../state/failure.ts'
import { entries } from '../../state/journal.ts'
import { groupBy, sorted } from '../../state/lists.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { clock, info, sandboxes, scenario } from '../../state/simulator.ts'
import type { ClockInfo, ListedEntry } from '../../types.ts'
import { Charts } from './charts.tsx'
import { Start } from './start.tsx'

const MAX_LATEST = 8
const MAX_TYPES = 12

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

const Latest = () => (
  <Section title="Latest requests" actions={<a href={hrefTo(['requests'])}>All requests</a>}>
    {entries.value.length === 0 && (
      <Empty icon="requests" title="No requests yet">
        Point a client at the base URL, or run the curl command above. Requests appear here immediately.
      </Empty>
    )}
    <ul class="latest">
      {entries.value.slice(0, MAX_LATEST).map(entry => (
        <li key={entry.id}>
          <a href={hrefTo(['requests', entry.id])}>
            <Status {...entry} />
            <Method {...entry} />
            <span class="mono clip">{entry.path}</span>
            <span class="muted number">{durationOf(entry)}</span>
            <Reason entry={entry} />
          </a>
        </li>
      ))}
    </ul>
  </Section>
)

const Reason = ({ entry }: { entry: ListedEntry }) => {
  const reason = reasonOf(entry)
  return reason ? <span class="reason muted small-text">{reason}</span> : null
}

/** Errors grouped by the check or rule that caused them, with the latest reason. */
function Errors() {
  const groups = groupBy(entries.value.filter(hasFailed), entry => `${entry.status} ${failureOf(entry)}`)
  const types = [...groups.values()].map(group => ({ latest: group[0]!, count: group.length }))
  const largest = sorted(types, ({ count }) => count, true).slice(0, MAX_TYPES)
  return (
    <Section title="Errors by type">
      {largest.length === 0 && (
        <Empty icon="check" title="No errors">
          None of the {entries.value.length} logged requests failed.
        </Empty>
      )}
      <ul class="failures">
        {largest.map(({ latest, count }) => {
          const kind = failureOf(latest)!
          return (
            <li key={latest.id}>
              <a href={hrefTo(['requests'], { kind })}>
                <Status {...latest} />
                <span class="grow clip">{kind.replaceAll('_', ' ')}</span>
                <span class="number">{count}</span>
              </a>
              <Reason entry={latest} />
              <meter
                class={latest.status !== null && latest.status < 500 ? 'warn' : ''}
                max={largest[0]!.count}
                value={count}
                aria-label={`${count} errors of type ${kind}`}
              />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

export function Overview() {
  const isNew = entries.value.length === 0
  return (
    <div class="overview">
      {isNew && <Start />}
      <Charts />
      <div class="stack">
        {!isNew && <Start />}
        <Latest />
      </div>
      <div class="stack">
        <SandboxFacts />
        <Errors />
      </div>
    </div>
  )
}
