import { versionHeader } from '../../../contract/names.ts'
import { CopyButton } from '../../parts/button.tsx'
import { confirmAction } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { toCurl } from '../../snippets/curl.ts'
import { callOf, type Sendable, sendableOf } from '../../snippets/sendable.ts'
import { act } from '../../state/actions.ts'
import { goTo, hrefTo, place } from '../../state/place.ts'
import { info, useTokens } from '../../state/simulator.ts'
import type { ListedEntry, ScenarioReport } from '../../types.ts'
import { callIn } from '../../wire/api.ts'
import { base, control, sandboxPath } from '../../wire/control.ts'
import { setDraft, textWithRule } from '../scenario/scenario-text.ts'

async function rewind(entry: ListedEntry) {
  const sentences = [
    `This restores the state from just before ${entry.method} ${entry.path}. It undoes that request and all later changes.`,
    'The request log, clock and scenario counters are unchanged. Another rewind can undo this one.',
  ]
  if (await confirmAction({ title: 'Rewind to before this request?', sentences, action: 'Rewind', danger: true }))
    await act(
      () => control('POST', sandboxPath(entry.sandbox, `/requests/${encodeURIComponent(entry.id)}/rewind`)),
      `Restored the state from before ${entry.id}.`,
    )
}

const createRule = (entry: ListedEntry) =>
  act(async () => {
    const scenario = await control<ScenarioReport>('GET', sandboxPath(entry.sandbox, '/scenario'))
    setDraft(await textWithRule(entry, scenario))
    goTo(['scenario'], { sandbox: entry.sandbox })
  })

const sendAgain = (entry: ListedEntry, sendable: Sendable) =>
  act(async () => {
    const call = callOf(sendable, versionHeader(info.value!.vendor))
    const { id } = await callIn(entry.sandbox, call)
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
  const tokens = useTokens(entry.sandbox)
  const sendable = tokens && info.value && sendableOf(entry, tokens)
  const obstacle = sendable ? obstacleTo(sendable) : 'Headers and body are unknown.'
  return (
    <>
      <div class="actions">
        {sendable && <CopyButton text={toCurl(sendable, base)} what="as curl" label="Copy as curl" />}
        <button
          type="button"
          class="button"
          disabled={obstacle !== undefined}
          title={obstacle}
          onClick={() => sendAgain(entry, sendable!)}
        >
          <Icon name="arrow" /> Send again
        </button>
        {sendable && !dropped && (
          <a class="button" href={hrefTo(['console'], { sandbox: entry.sandbox, request: entry.id })}>
            <Icon name="console" /> Edit and send
          </a>
        )}
        <button
          type="button"
          class="button"
          disabled={dropped}
          title={dropped ? "Can't rewind: this request is no longer in the log" : undefined}
          onClick={() => rewind(entry)}
        >
          <Icon name="rewind" /> Rewind to here…
        </button>
        <button
          type="button"
          class="button"
          disabled={entry.operation === null}
          title={entry.operation === null ? "Can't create a rule: no operation matched" : undefined}
          onClick={() => createRule(entry)}
        >
          <Icon name="scenario" /> Create rule
        </button>
      </div>
      {sendable?.gaps.map(gap => (
        <p key={gap} class="note warn">
          <Icon name="warn" /> {gap}
        </p>
      ))}
    </>
  )
}
