import { CopyButton } from '../../parts/button.tsx'
import { Code } from '../../parts/json-view.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Empty } from '../../parts/messages.tsx'
import { Fact, Section } from '../../parts/section.tsx'
import { durationOf, longTime, Method, Status } from '../../parts/status.tsx'
import { failureOf, hasFailed, reasonOf } from '../../state/failure.ts'
import { entries } from '../../state/journal.ts'
import { groupBy, sorted, sumOf } from '../../state/lists.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { clock, info, sandboxes, scenario, token, useTokens } from '../../state/simulator.ts'
import type { ClockInfo, ListedEntry } from '../../types.ts'
import { base } from '../../wire/control.ts'
import { Charts } from './charts.tsx'

const MAX_TOKENS = 5
const MAX_LATEST = 8
const MAX_TYPES = 12

/** Placeholder while loading. */
const UNKNOWN = '…'

function Tokens() {
  const tokens = useTokens(sandbox.value) ?? []
  const more = tokens.length - MAX_TOKENS
  if (!token.value)
    return (
      <Fact name="Token">
        <span class="muted">No token of the fixture is valid in this sandbox. Reset the sandbox to restore them.</span>
      </Fact>
    )
  return (
    <>
      {tokens.slice(0, MAX_TOKENS).map(({ token, key_id, owner_id, admin }, i) => (
        <Fact key={key_id} name={i === 0 ? 'Tokens' : ''}>
          <code>{token}</code>
          <CopyButton text={token} what={`token ${token}`} />
          <span class="muted">
            <NameLink text={key_id} class="" /> of <NameLink text={owner_id} class="" />
          </span>
          {admin && <span class="tag">admin</span>}
        </Fact>
      ))}
      {more > 0 && (
        <Fact name="">
          <span class="muted">and {more} more</span>
        </Fact>
      )}
    </>
  )
}

/** The base URL, tokens and header that a client needs. */
function Start() {
  const known = info.value
  if (!known) return null
  // Behind a proxy, the simulator knows its URL only from --base-url.
  const url = known.options.baseUrl ? known.url : base
  const headers = Object.entries(known.api.headers).map(([name, value]) => `${name}: ${value}`)
  const own = known.api.tokens ? [`Authorization: Bearer ${token.value}`] : []
  const sent = [...own, ...headers].map(header => ` -H '${header}'`).join('')
  const curl = `curl${sent} ${url}${known.api.first.path}`
  return (
    <Section title="Point a client here" class={entries.value.length === 0 ? 'span' : ''}>
      <dl class="facts">
        <Fact name="Base URL">
          <code>{url}</code>
          <CopyButton text={url} what="base URL" />
        </Fact>
        {known.api.tokens && <Tokens />}
        {headers.map(header => (
          <Fact key={header} name="Version header">
            <code>{header}</code>
            <span class="muted">send with every request</span>
          </Fact>
        ))}
      </dl>
      {(token.value || !known.api.tokens) && <Code text={curl} what="curl command" />}
    </Section>
  )
}

const kindOf = ({ frozen, real }: ClockInfo) => (frozen ? 'frozen' : real ? 'real time' : 'shifted')

function sandboxCount(count: number): string {
  if (count === 0) return UNKNOWN
  return count > 1 ? `one of ${count}` : 'only sandbox'
}

function SandboxFacts() {
  const fired = sumOf(scenario.value?.rules ?? [], rule => rule.fired)
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
  const largest = sorted([...groups.values()], ({ length }) => length, true).slice(0, MAX_TYPES)
  return (
    <Section title="Errors by type">
      {largest.length === 0 && (
        <Empty icon="check" title="No errors">
          None of the {entries.value.length} logged requests failed.
        </Empty>
      )}
      <ul class="failures">
        {largest.map(group => {
          const [latest, count] = [group[0]!, group.length]
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
                max={largest[0]!.length}
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
