import { Icon } from '../../parts/icon.tsx'
import { Failure, Loading } from '../../parts/messages.tsx'
import { Section } from '../../parts/section.tsx'
import { durationOf, longTime, Method, Status } from '../../parts/status.tsx'
import { isOwn, type Journal, logLimit } from '../../state/journal.ts'
import { hrefTo, place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { Diff } from './diff.tsx'
import { EntryActions } from './entry-actions.tsx'
import { Message } from './message.tsx'
import { Why } from './why.tsx'

function Dropped({ complete }: { complete: boolean }) {
  return (
    <p class="note warn">
      <Icon name="warn" />
      <span>
        The server dropped this request, because {logLimit()}.{' '}
        {complete ? 'The dashboard shows its own copy.' : 'Only these details remain.'} You can't rewind to it.
      </span>
    </p>
  )
}

/** One request with its response, explanation and state changes. */
export function EntryDetail({ id, journal }: { id: string; journal: Journal }) {
  const brief = journal.entries.value.find(entry => entry.id === id)
  const { data, error } = useRemote(`${sandbox.value} ${id}`, 0, signal =>
    sandboxControl<ListedEntry>('GET', `/requests/${encodeURIComponent(id)}`, { signal }),
  )
  const entry = data ?? brief
  const dropped = brief !== undefined && (error?.status === 404 || journal.isDropped(brief))
  return (
    <aside class="detail" aria-label="Request">
      <div class="detail-head">
        <a class="button quiet back" href={hrefTo(['requests'], place.value.query)}>
          <Icon name="cross" /> <span>Close</span>
        </a>
        <p class="mono clip">{id}</p>
      </div>
      {error && !dropped && <Failure error={error} />}
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
            {entry.sandbox !== sandbox.value && ` · in sandbox ${entry.sandbox}`}
            {isOwn(entry) && ' · sent by the dashboard'}
          </p>
          {dropped && <Dropped complete={entry.request !== undefined} />}
          <EntryActions entry={entry} dropped={dropped} />
          <Why {...entry} />
          {entry.change?.ops && (
            <Section title={`Change ${entry.change.seq}`}>
              <Diff ops={entry.change.ops} sandbox={entry.sandbox} />
            </Section>
          )}
          {entry.request && (
            <Section title="Request">
              <Message {...entry.request} query={entry.query} what="request" />
            </Section>
          )}
          {entry.response !== undefined && (
            <Section title="Response">
              {entry.response ? (
                <Message {...entry.response} what="response" />
              ) : (
                <p class="muted">No response was sent.</p>
              )}
            </Section>
          )}
        </>
      )}
    </aside>
  )
}
