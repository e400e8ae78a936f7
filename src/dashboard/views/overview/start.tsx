import { API_VERSION, versionHeader } from '../../../contract/names.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Fact, Section } from '../../parts/section.tsx'
import { hrefTo, sandbox } from '../../state/place.ts'
import { info, token } from '../../state/simulator.ts'
import type { Info } from '../../types.ts'
import { base } from '../../wire/control.ts'

const curlLine = (url: string, vendor: string, bearer: string) =>
  `curl -H 'Authorization: Bearer ${bearer}' -H '${versionHeader(vendor)}: ${API_VERSION}' ${url}/api_keys`

function Tokens({ known }: { known: Info }) {
  if (!token.value)
    return (
      <Fact name="Token">
        <span class="muted">None of the launch fixture's tokens works here now. A reset brings them back.</span>
      </Fact>
    )
  // Only one token of another sandbox is known, as the page does not know its fixture.
  if (sandbox.value !== 'default')
    return (
      <Fact name="Token">
        <code>{token.value}</code>
        <CopyButton text={token.value} what={`the token ${token.value}`} />
      </Fact>
    )
  return (
    <>
      {known.tokens.map(({ token, key_id, owner_id, admin }, i) => (
        <Fact key={key_id} name={i === 0 ? 'Tokens' : ''}>
          <code>{token}</code>
          <CopyButton text={token} what={`the token ${token}`} />
          <span class="muted">
            <a href={hrefTo(['resources', 'api_keys', key_id])}>{key_id}</a> of {owner_id}
          </span>
          {admin && <span class="tag">admin</span>}
        </Fact>
      ))}
    </>
  )
}

/** Everything a client needs to begin. */
export function Start() {
  const known = info.value
  if (!known) return null
  // Behind a proxy, the simulator knows its address only if it was told.
  const url = known.options.baseUrl ? known.url : base
  const curl = token.value ? curlLine(url, known.vendor, token.value) : null
  return (
    <Section title="Point a client here">
      <dl class="facts">
        <Fact name="Address">
          <code>{url}</code>
          <CopyButton text={url} what="the address" />
        </Fact>
        <Tokens known={known} />
        <Fact name="Version">
          <code>
            {versionHeader(known.vendor)}: {API_VERSION}
          </code>
          <span class="muted">on every request</span>
        </Fact>
      </dl>
      {curl && (
        <div class="code">
          <CopyButton text={curl} what="the curl line" />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre tabIndex={0} role="region" aria-label="A curl line that works">
            {curl}
          </pre>
        </div>
      )}
    </Section>
  )
}
