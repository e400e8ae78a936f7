import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { CopyButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty, FormError } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { toCurl } from '../../snippets/curl.ts'
import { callOf, sendableOf as sendableEntry } from '../../snippets/sendable.ts'
import { act, useSubmit } from '../../state/actions.ts'
import { amendQuery, place, sandbox } from '../../state/place.ts'
import { info, loadTokens, sandboxControl, useTokens } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { callIn } from '../../wire/api.ts'
import { base } from '../../wire/control.ts'
import { BodyInput } from './body-input.tsx'
import { amend, draft, drafted, versionName } from './console-state.ts'
import { draftFrom, EMPTY, obstacleTo, sendableOf, takesBody } from './draft.ts'
import { type ReceivedResponse, ResponseView } from './response.tsx'
import { HeadersInput, TokenInput } from './sender-input.tsx'
import { TargetInput } from './target-input.tsx'

/** The last response. Preserved while other views are shown. */
const received = signal<ReceivedResponse | undefined>(undefined)

async function fillFromJournal(id: string) {
  const entry = await sandboxControl<ListedEntry>('GET', `/requests/${encodeURIComponent(id)}`)
  draft.value = draftFrom(entry, sendableEntry(entry, await loadTokens(entry.sandbox))!, versionName())
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

export function Console() {
  useLink()
  const tokens = useTokens(sandbox.value) ?? []
  const sendable = sendableOf(drafted.value, tokens, versionName())
  const { submit, busy, error } = useSubmit(async () => {
    const obstacle = obstacleTo(drafted.value)
    if (obstacle) throw new Error(obstacle)
    const to = sandbox.value
    const response = await callIn(to, callOf(sendable, versionName()))
    received.value = { sandbox: to, method: sendable.method, path: sendable.path, response }
    return undefined
  })
  return (
    <div class="columns console">
      <Section
        title="Request"
        actions={<CopyButton text={toCurl(sendable, base)} what="as curl" label="Copy as curl" />}
      >
        <form
          class="form"
          aria-label="Request"
          noValidate
          onSubmit={submit}
          onKeyDown={event => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event)
          }}
        >
          <TargetInput />
          {draft.value.gaps.map(gap => (
            <p key={gap} class="note warn">
              <Icon name="warn" /> {gap}
            </p>
          ))}
          {takesBody(drafted.value) && <BodyInput />}
          <TokenInput tokens={tokens} />
          <HeadersInput />
          <FormError error={error} />
          <div class="actions">
            <button type="submit" class="button primary" disabled={busy}>
              {busy ? 'Sending…' : 'Send'}
            </button>
            <button type="button" class="button quiet" onClick={() => amend({ ...EMPTY, operation: 'list_api_keys' })}>
              Start over
            </button>
            <span class="muted small-text">Press Ctrl+Enter to send.</span>
          </div>
        </form>
      </Section>
      <div class="stack">
        {received.value ? (
          <ResponseView {...received.value} />
        ) : (
          <Empty icon="console" title="No response yet">
            Send a request to the API. It also appears in the request log.
          </Empty>
        )}
      </div>
    </div>
  )
}
