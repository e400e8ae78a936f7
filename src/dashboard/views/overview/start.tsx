import { API_VERSION, versionHeader } from '../../../contract/names.ts'
import { CopyButton } from '../../parts/button.tsx'
import { Code } from '../../parts/json-view.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Fact, Section } from '../../parts/section.tsx'
import { entries } from '../../state/journal.ts'
import { sandbox } from '../../state/place.ts'
import { info, token, useTokens } from '../../state/simulator.ts'
import { base } from '../../wire/control.ts'

const MAX_TOKENS = 5

function Tokens() {
  const tokens = useTokens(sandbox.value) ?? []
  const more = tokens.length - MAX_TOKENS
  if (!token.value)
    return (
      <Fact name="Token">
        <span class="muted">No token of the fixture is valid in this sandbox. Reset the sandbox to restore them.</span>
      </Fact>
    )
  return (
    <>
      {tokens.slice(0, MAX_TOKENS).map(({ token, key_id, owner_id, admin }, i) => (
        <Fact key={key_id} name={i === 0 ? 'Tokens' : ''}>
          <code>{token}</code>
          <CopyButton text={token} what={`token ${token}`} />
          <span class="muted">
            <NameLink text={key_id} class="" /> of <NameLink text={owner_id} class="" />
          </span>
          {admin && <span class="tag">admin</span>}
        </Fact>
      ))}
      {more > 0 && (
        <Fact name="">
          <span class="muted">and {more} more</span>
        </Fact>
      )}
    </>
  )
}

/** The base URL, tokens and header that a client needs. */
export function Start() {
  const known = info.value
  if (!known) return null
  // Behind a proxy, the simulator knows its URL only from --base-url.
  const url = known.options.baseUrl ? known.url : base
  const version = `${versionHeader(known.vendor)}: ${API_VERSION}`
  const curl = `curl -H 'Authorization: Bearer ${token.value}' -H '${version}' ${url}/api_keys`
  return (
    <Section title="Point a client here" class={entries.value.length === 0 ? 'span' : ''}>
      <dl class="facts">
        <Fact name="Base URL">
          <code>{url}</code>
          <CopyButton text={url} what="base URL" />
        </Fact>
        <Tokens />
        <Fact name="Version header">
          <code>{version}</code>
          <span class="muted">send with every request</span>
        </Fact>
      </dl>
      {token.value && <Code text={curl} what="curl command" />}
    </Section>
  )
}
