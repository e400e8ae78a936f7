import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { CopyAs } from '../../parts/copy-as.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Message, Why } from '../../parts/exchange.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Failure, Loading, Note } from '../../parts/messages.tsx'
import { Detail, Section } from '../../parts/section.tsx'
import { durationOf, Method, Status, timeOf } from '../../parts/status.tsx'
import { callOf, type Sendable, sendableOf } from '../../snippets/sendable.ts'
import { act } from '../../state/actions.ts'
import { isOwn, logLimit } from '../../state/journal.ts'
import { shownJournal } from '../../state/live.ts'
import { goTo, hrefTo, place, sandbox } from '../../state/place.ts'
import { setter } from '../../state/signals.ts'
import { info, useGet, useTokens } from '../../state/simulator.ts'
import type { ListedEntry, ScenarioReport } from '../../types.ts'
import { callIn, control, sandboxPath } from '../../wire/control.ts'
import { addRule, ruleFor } from '../scenario/scenario-text.ts'
import { CompareRequests } from './compare.tsx'

const rewind = ({ id, method, path, sandbox }: ListedEntry) =>
  actIfConfirmed({
    title: 'Rewind to before this request?',
    sentences: [
      `This restores the state from just before ${method} ${path}. It undoes that request and all later changes.`,
      'The request log, clock and scenario counters are unchanged. Another rewind can undo this one.',
    ],
    action: 'Rewind',
    danger: true,
    run: () => control('POST', sandboxPath(sandbox, `/requests/${encodeURIComponent(id)}/rewind`)),
    done: `Restored the state from before ${id}.`,
  })

const createRule = (entry: ListedEntry) =>
  act(async () => {
    await addRule(ruleFor(entry), await control<ScenarioReport>('GET', sandboxPath(entry.sandbox, '/scenario')))
    goTo(['scenario'], { sandbox: entry.sandbox })
  })

const sendAgain = (entry: ListedEntry, sendable: Sendable) =>
  act(async () => {
    const { id } = await callIn(entry.sandbox, callOf(sendable, info.value!.api.headers))
    if (id) goTo(['requests', id], place.value.query)
  }, 'Sent again. This is the new request.')

/** What prevents sending the request again unchanged. */
function obstacleTo({ token, encoding, gaps }: Sendable): string | undefined {
  if (token === undefined) return 'The token is unknown. Use "Edit and send" to choose one.'
  if (encoding) return 'The body is not text. Use "Copy as curl" to send it.'
  return gaps.length > 0 ? 'The original body is unknown. Use "Edit and send" to fill it in.' : undefined
}

/** `dropped`: the simulator no longer has the request. */
function EntryActions({ entry, dropped }: { entry: ListedEntry; dropped: boolean }) {
  const comparing = useSignal(false)
  const tokens = useTokens(entry.sandbox)
  const sendable = tokens && info.value && sendableOf(entry, tokens)
  const obstacle = sendable ? obstacleTo(sendable) : 'Headers and body are unknown.'
  const noRule = entry.operation === null ? "Can't create a rule: no operation matched" : undefined
  const noRewind = dropped ? "Can't rewind: this request is no longer in the log" : undefined
  return (
    <>
      <div class="actions">
        {sendable && (
          <CopyAs sendable={sendable} sandbox={entry.sandbox} received={{ ...entry, body: entry.response?.body }} />
        )}
        <Button icon="arrow" disabled={!!obstacle} title={obstacle} onClick={() => sendAgain(entry, sendable!)}>
          Send again
        </Button>
        {sendable && !dropped && (
          <Button icon="console" href={hrefTo(['console'], { sandbox: entry.sandbox, request: entry.id })}>
            Edit and send
          </Button>
        )}
        <Button icon="rewind" disabled={dropped} title={noRewind} onClick={() => rewind(entry)}>
          Rewind to here…
        </Button>
        <Button icon="scenario" disabled={!!noRule} title={noRule} onClick={() => createRule(entry)}>
          Create rule
        </Button>
        {sendable && (
          <Button icon="compare" opens onClick={setter(comparing, true)}>
            Compare…
          </Button>
        )}
      </div>
      {sendable?.gaps.map(gap => (
        <Note key={gap}>{gap}</Note>
      ))}
      {comparing.value && <CompareRequests entry={entry} onClose={setter(comparing, false)} />}
    </>
  )
}

function Facts({ entry }: { entry: ListedEntry }) {
  const { at, source_ip, caller, operation } = entry
  const link = (text: string) => <NameLink text={text} sandbox={entry.sandbox} class="" />
  return (
    <p class="muted number">
      {at.slice(0, 10)} {timeOf(at)} UTC · took {durationOf(entry)} · from {source_ip}
      {caller && [' · ', link(caller.id), ' with ', link(caller.key_id)]}
      {operation && [' · ', link(operation)]}
      {entry.sandbox !== sandbox.value && ` · in sandbox ${entry.sandbox}`}
      {isOwn(entry) && ' · sent by the dashboard'}
    </p>
  )
}

/** One request with its response, explanation and state changes. */
export function EntryDetail({ id }: { id: string }) {
  const journal = shownJournal.value
  const brief = journal.entries.value.find(entry => entry.id === id)
  const { data, error } = useGet<ListedEntry>(`/requests/${encodeURIComponent(id)}`, 0)
  const entry = data ?? brief
  const dropped = brief !== undefined && (error?.status === 404 || journal.isDropped(brief))
  return (
    <Detail label="Request" title={id} closeHref={hrefTo(['requests'], place.value.query)}>
      {error && !dropped && <Failure error={error} />}
      {!entry && !error && <Loading />}
      {entry && (
        <>
          <p class="request-line">
            <Status {...entry} /> <Method {...entry} /> <span class="mono wrap">{entry.path}</span>
          </p>
          <Facts entry={entry} />
          {dropped && (
            <Note>
              The server dropped this request, because {logLimit()}.{' '}
              {entry.request ? 'The dashboard shows its own copy.' : 'Only these details remain.'} You can't rewind to
              it.
            </Note>
          )}
          <EntryActions entry={entry} dropped={dropped} />
          <Why {...entry} />
          {entry.change?.ops && (
            <Section title={`Change ${entry.change.seq}`}>
              <Diff ops={entry.change.ops} sandbox={entry.sandbox} />
            </Section>
          )}
          {entry.request && (
            <Section title="Request">
              <Message {...entry.request} query={entry.query} what="request" sandbox={entry.sandbox} />
            </Section>
          )}
          {entry.response !== undefined && (
            <Section title="Response">
              {entry.response ? (
                <Message {...entry.response} what="response" sandbox={entry.sandbox} />
              ) : (
                <p class="muted">No response was sent.</p>
              )}
            </Section>
          )}
        </>
      )}
    </Detail>
  )
}
