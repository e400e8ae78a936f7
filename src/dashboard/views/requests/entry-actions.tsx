import { useSignal } from '@preact/signals'
import { versionHeader } from '../../../contract/names.ts'
import { Button } from '../../parts/button.tsx'
import { CopyAs } from '../../parts/copy-as.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { Note } from '../../parts/messages.tsx'
import { callOf, type Sendable, sendableOf } from '../../snippets/sendable.ts'
import { act } from '../../state/actions.ts'
import { goTo, hrefTo, place } from '../../state/place.ts'
import { setter } from '../../state/signals.ts'
import { info, useTokens } from '../../state/simulator.ts'
import type { ListedEntry, ScenarioReport } from '../../types.ts'
import { callIn } from '../../wire/api.ts'
import { control, sandboxPath } from '../../wire/control.ts'
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
    const { id } = await callIn(entry.sandbox, callOf(sendable, versionHeader(info.value!.vendor)))
    if (id) goTo(['requests', id], place.value.query)
  }, 'Sent again. This is the new request.')

/** What prevents sending the request again unchanged. */
function obstacleTo({ token, encoding, gaps }: Sendable): string | undefined {
  if (token === undefined) return 'The token is unknown. Use "Edit and send" to choose one.'
  if (encoding) return 'The body is not text. Use "Copy as curl" to send it.'
  return gaps.length > 0 ? 'The original body is unknown. Use "Edit and send" to fill it in.' : undefined
}

interface Props {
  entry: ListedEntry
  /** The simulator no longer has the request. */
  dropped: boolean
}

export function EntryActions({ entry, dropped }: Props) {
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
