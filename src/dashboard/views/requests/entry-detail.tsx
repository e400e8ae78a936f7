import { ask } from '../../parts/ask-dialog.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Failure, Loading } from '../../parts/messages.tsx'
import { Reasons, Warnings } from '../../parts/reasons.tsx'
import { Section } from '../../parts/section.tsx'
import { durationOf, longTime, Method, Status } from '../../parts/status.tsx'
import { act } from '../../state/actions.ts'
import { entries, isOwn } from '../../state/journal.ts'
import { goTo, hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { info, sandboxControl, scenario, token } from '../../state/simulator.ts'
import type { Entry } from '../../types.ts'
import { setDraft, textWithRule } from '../scenario/scenario-text.ts'
import { toCurl } from './curl.ts'
import { Diff } from './diff.tsx'
import { Message } from './message.tsx'

async function rewind(entry: Entry) {
  const sentences = [
    `The state becomes what it was just before ${entry.method} ${entry.path} did anything: that request and all after it are undone.`,
    'The journal, the clock and the counters of the scenario stay. It is itself a change, so a later rewind can undo it.',
  ]
  if (await ask({ title: 'Rewind to before this request?', sentences, action: 'Rewind', danger: true }))
    await act(
      () => sandboxControl('POST', `/requests/${encodeURIComponent(entry.id)}/rewind`),
      `The state is as it was before ${entry.id}.`,
    )
}

const turnIntoRule = (entry: Entry) =>
  act(async () => {
    setDraft(await textWithRule(entry, scenario.value))
    goTo(['scenario'])
  })

function Actions({ entry }: { entry: Entry }) {
  return (
    <div class="actions">
      <CopyButton
        text={toCurl(entry, info.value?.url ?? location.origin, token.value)}
        what="as curl"
        label="Copy as curl"
      />
      <button type="button" class="button" onClick={() => rewind(entry)}>
        <Icon name="rewind" /> Rewind to here…
      </button>
      <button
        type="button"
        class="button"
        disabled={entry.operation === null}
        title={entry.operation === null ? 'No route matched, and rules are about routes' : undefined}
        onClick={() => turnIntoRule(entry)}
      >
        <Icon name="scenario" /> Turn into a rule
      </button>
    </div>
  )
}

function Why({ entry }: { entry: Entry }) {
  const { explanation, rules, assumptions, warnings } = entry
  return (
    <Section title="Why">
      <Reasons explanation={explanation} assumptions={assumptions} />
      <Warnings warnings={warnings} />
      {rules.length > 0 && (
        <>
          <h3>Rules that matched</h3>
          <ul class="fired">
            {rules.map(({ name, fired, effect }) => (
              <li key={name}>
                <span class={`tag ${fired ? 'warn' : 'quiet'}`}>{fired ? '◆ fired' : '◇ did nothing'}</span> {name}
                {fired && <span class="muted">: {effect}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

/** One request: the answer, the reason for it, and what it changed. */
export function EntryDetail({ id }: { id: string }) {
  const brief = entries.value.find(entry => entry.id === id)
  const { data, error } = useRemote(`${sandbox.value} ${id}`, 0, signal =>
    sandboxControl<Entry>('GET', `/requests/${encodeURIComponent(id)}`, { signal }),
  )
  const entry = data ?? brief
  return (
    <aside class="detail" aria-label="Request">
      <div class="detail-head">
        <a class="button quiet back" href={hrefTo(['requests'], place.value.query)}>
          <Icon name="cross" /> <span>Close</span>
        </a>
        <p class="mono clip">{id}</p>
      </div>
      {error && <Failure error={error} />}
      {!entry && !error && <Loading />}
      {entry && (
        <>
          <p class="request-line">
            <Status status={entry.status} /> <Method method={entry.method} />{' '}
            <span class="mono wrap">{entry.path}</span>
          </p>
          <p class="muted number">
            {longTime(entry.at)} · took {durationOf(entry)} · from {entry.source_ip}
            {entry.caller && ` · ${entry.caller.id} with ${entry.caller.key_id}`}
            {entry.operation && ` · ${entry.operation}`}
            {isOwn(entry) && ' · made by this page'}
          </p>
          <Actions entry={entry} />
          <Why entry={entry} />
          {entry.change?.ops && (
            <Section title={`Change ${entry.change.seq}`}>
              <Diff ops={entry.change.ops} />
            </Section>
          )}
          {entry.request && (
            <Section title="Request">
              <Message {...entry.request} query={entry.query} what="request" />
            </Section>
          )}
          {data && (
            <Section title="Response">
              {data.response ? (
                <Message {...data.response} what="response" />
              ) : (
                <p class="muted">No answer was sent.</p>
              )}
            </Section>
          )}
        </>
      )}
    </aside>
  )
}
