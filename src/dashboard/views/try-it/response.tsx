import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { durationOf, Method, Status } from '../../parts/status.tsx'
import { entries } from '../../state/journal.ts'
import { hrefTo } from '../../state/place.ts'
import type { CallResponse } from '../../wire/api.ts'
import { Message } from '../requests/message.tsx'
import { Why } from '../requests/why.tsx'

export interface ReceivedResponse {
  sandbox: string
  method: string
  path: string
  response: CallResponse
}

/** The response and its explanation. */
export function ResponseView({ sandbox, method, path, response }: ReceivedResponse) {
  const { id, status, headers, body, failure } = response
  const entry = entries.value.find(each => each.id === id)
  const link = id && (
    <a class="button" href={hrefTo(['requests', id], { sandbox })}>
      <Icon name="requests" /> Show in request log
    </a>
  )
  return (
    <>
      <Section title="Response" actions={link}>
        <p class="request-line" role="status">
          <Status status={status} /> <Method method={method} /> <span class="mono wrap">{path}</span>
        </p>
        {entry && <p class="muted number">Duration: {durationOf(entry)}</p>}
        {failure && (
          <p class="note warn">
            <Icon name="warn" /> Connection failed: {failure}.
          </p>
        )}
        {status !== null && <Message headers={headers} body={body} what="response" />}
      </Section>
      <Why {...response} />
    </>
  )
}
