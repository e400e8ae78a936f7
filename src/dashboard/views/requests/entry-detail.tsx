import { Diff } from '../../parts/diff.tsx'
import { Message, Why } from '../../parts/exchange.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Failure, Loading, Note } from '../../parts/messages.tsx'
import { Detail, Section } from '../../parts/section.tsx'
import { durationOf, Method, Status, timeOf } from '../../parts/status.tsx'
import { isOwn, logLimit } from '../../state/journal.ts'
import { hrefTo, place, sandbox } from '../../state/place.ts'
import { useGet } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { EntryActions } from './entry-actions.tsx'
import { shownJournal } from './search.ts'

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
