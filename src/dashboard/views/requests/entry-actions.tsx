import { versionHeader } from '../../../contract/names.ts'
import { ask } from '../../parts/ask-dialog.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/actions.ts'
import { goTo, hrefTo, place } from '../../state/place.ts'
import { info, useTokens } from '../../state/simulator.ts'
import type { ListedEntry, ScenarioReport } from '../../types.ts'
import { callIn } from '../../wire/api.ts'
import { base, control, sandboxPath } from '../../wire/control.ts'
import { setDraft, textWithRule } from '../scenario/scenario-text.ts'
import { toCurl } from './curl.ts'
import { callOf, type Sendable, sendableOf } from './sendable.ts'

async function rewind(entry: ListedEntry) {
  const sentences = [
    `The state becomes what it was just before ${entry.method} ${entry.path} did anything: that request and all after it are undone.`,
    'The journal, the clock and the counters of the scenario stay. It is itself a change, so a later rewind can undo it.',
  ]
  if (await ask({ title: 'Rewind to before this request?', sentences, action: 'Rewind', danger: true }))
    await act(
      () => control('POST', sandboxPath(entry.sandbox, `/requests/${encodeURIComponent(entry.id)}/rewind`)),
      `The state is as it was before ${entry.id}.`,
    )
}

const turnIntoRule = (entry: ListedEntry) =>
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

/** Why it cannot be sent just as it was. */
function obstacleTo({ token, encoding, gaps }: Sendable): string | undefined {
  if (token === undefined) return 'Its token is not known. Edit and send lets you choose one.'
  if (encoding) return 'Its body is not text. Copy as curl can send it.'
  return gaps.length > 0 ? 'Its body is not known as it came. Edit and send lets you fill it in.' : undefined
}

interface Props {
  entry: ListedEntry
  /** The simulator does not have it any more. */
  dropped: boolean
}

export function EntryActions({ entry, dropped }: Props) {
  const tokens = useTokens(entry.sandbox)
  const sendable = tokens && info.value && sendableOf(entry, tokens)
  const obstacle = sendable ? obstacleTo(sendable) : 'Its headers and body are not known.'
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
          title={dropped ? 'The server has dropped this request, so it leads back to no state' : undefined}
          onClick={() => rewind(entry)}
        >
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
      {sendable?.gaps.map(gap => (
        <p key={gap} class="note warn">
          <Icon name="warn" /> {gap}
        </p>
      ))}
    </>
  )
}
