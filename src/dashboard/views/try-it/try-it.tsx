import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { CopyAs } from '../../parts/copy-as.tsx'
import { Message, Why } from '../../parts/exchange.tsx'
import { Empty, FormError, Note } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { durationOf, Method, Status } from '../../parts/status.tsx'
import { callOf, type Sendable, sendableOf as sendableEntry } from '../../snippets/sendable.ts'
import { act, useSubmit } from '../../state/actions.ts'
import { entries } from '../../state/journal.ts'
import { amendQuery, hrefTo, place, sandbox } from '../../state/place.ts'
import { info, loadTokens, sandboxControl, useTokens } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { callIn } from '../../wire/control.ts'
import {
  amend,
  draft,
  drafted,
  firstOperation,
  noteResponse,
  received,
  repeat,
  requiredHeaders,
  sentRequests,
} from './console-state.ts'
import { draftFrom, EMPTY, obstacleTo, sendableOf, takesBody } from './draft.ts'
import { BodyInput, HeadersInput, TokenInput } from './message-input.tsx'
import { TargetInput } from './target-input.tsx'

async function fillFromJournal(id: string) {
  const entry = await sandboxControl<ListedEntry>('GET', `/requests/${encodeURIComponent(id)}`)
  draft.value = draftFrom(entry, sendableEntry(entry, await loadTokens(entry.sandbox))!, requiredHeaders())
  received.value = undefined
}

/** A link fills the console: `request` from the journal, `operation` with its parameters, or `method`, `path`, `body`. */
function useLink() {
  const { request, operation, method, path, body, sandbox: _sandbox, ...params } = place.value.query
  const isReady = info.value !== undefined
  useEffect(() => {
    if (!isReady || !(request || operation || path)) return
    if (request) void act(() => fillFromJournal(request))
    else if (operation) draft.value = { ...EMPTY, operation, params, text: body }
    else draft.value = { ...EMPTY, method: method ?? 'GET', path: path!, text: body }
    // Later changes are not stored in the URL.
    const names = Object.keys(place.value.query).filter(name => name !== 'sandbox')
    amendQuery(Object.fromEntries(names.map(name => [name, undefined])))
  }, [isReady, request, operation, path])
}

/** The target, the last status and the button that sends. Remains visible while the view scrolls. */
const Bar = ({ method, path, busy }: Pick<Sendable, 'method' | 'path'> & { busy: boolean }) => (
  <div class="console-bar">
    <p class="target grow">
      <Method method={method} /> <span class="mono clip">{path}</span>
    </p>
    {received.value && (
      <p role="status" title={`${received.value.method} ${received.value.path}`}>
        <span class="hidden">Last response: </span>
        <Status status={received.value.status} />
      </p>
    )}
    <Button look="primary" submit disabled={busy} title="Ctrl+Enter">
      {busy ? 'Sending…' : 'Send'}
    </Button>
  </div>
)

/** The response and its explanation. */
function ResponseView() {
  if (!received.value)
    return (
      <Empty icon="console" title="No response yet">
        Send a request to the API. It also appears in the request log.
      </Empty>
    )
  const { sandbox, method, path, id, status, failure } = received.value
  const entry = entries.value.find(each => each.id === id)
  const link = id && (
    <Button icon="requests" href={hrefTo(['requests', id], { sandbox })}>
      Show in request log
    </Button>
  )
  return (
    <>
      <Section title="Response" actions={link}>
        <p class="request-line">
          <Status status={status} /> <Method method={method} /> <span class="mono wrap">{path}</span>
        </p>
        {entry && <p class="muted number">Duration: {durationOf(entry)}</p>}
        {failure && <Note>Connection failed: {failure}.</Note>}
        {status !== null && <Message {...received.value} what="response" sandbox={sandbox} />}
      </Section>
      <Why {...received.value} />
    </>
  )
}

const History = () =>
  sentRequests.value.length > 0 && (
    <Section title="Sent requests">
      <ul class="latest">
        {sentRequests.value.map((sent, i) => (
          <li key={sent.id ?? i}>
            <button type="button" onClick={() => repeat(sent)} title="Fill in this request again">
              <Status status={sent.status} />
              <Method method={sent.method} />
              <span class="mono clip">{sent.path}</span>
              {sent.sandbox !== sandbox.value && <span class="muted">{sent.sandbox}</span>}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )

export function Console() {
  useLink()
  const tokens = useTokens(sandbox.value) ?? []
  const sendable = sendableOf(drafted.value, tokens, requiredHeaders())
  const { method, path } = sendable
  const last = received.value
  const isSame = last?.method === method && last.path === path
  const operation = (drafted.value.operation?.id ?? null) as ListedEntry['operation']
  const { submit, busy, error } = useSubmit(async () => {
    const obstacle = obstacleTo(drafted.value)
    if (obstacle) throw new Error(obstacle)
    const to = sandbox.value
    noteResponse({ sandbox: to, method, path }, await callIn(to, callOf(sendable, requiredHeaders())))
    return undefined
  })
  return (
    <form
      class="console"
      aria-label="Request"
      noValidate
      onSubmit={submit}
      onKeyDown={event => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && void submit(event)}
    >
      <Bar method={method} path={path} busy={busy} />
      <FormError error={error} />
      <div class="columns">
        <Section
          title="Request"
          actions={
            <>
              <CopyAs
                sendable={sendable}
                sandbox={sandbox.value}
                received={isSame ? { ...last, operation } : undefined}
              />
              <Button look="quiet" onClick={() => amend({ ...EMPTY, operation: firstOperation() })}>
                Start over
              </Button>
            </>
          }
        >
          <div class="form">
            <TargetInput />
            {draft.value.gaps.map(gap => (
              <Note key={gap}>{gap}</Note>
            ))}
            {takesBody(drafted.value) && <BodyInput />}
            <TokenInput tokens={tokens} />
            <HeadersInput />
          </div>
        </Section>
        <div class="stack">
          <ResponseView />
          <History />
        </div>
      </div>
    </form>
  )
}
