import { useSignal } from '@preact/signals'
import { type Received, toTest } from '../snippets/javascript.ts'
import type { Sendable } from '../snippets/sendable.ts'
import { SNIPPETS } from '../snippets/snippets.ts'
import { writer } from '../state/signals.ts'
import { sandboxes } from '../state/simulator.ts'
import { base } from '../wire/control.ts'
import { CopyButton } from './button.tsx'
import { Select } from './inputs.tsx'

/** Copies a request as code. `received` is the response that a test expects, if there was one. */
export function CopyAs(props: { sendable: Sendable; sandbox: string; received: Received | undefined }) {
  const { sendable, sandbox, received } = props
  const chosen = useSignal('curl')
  const own = sandboxes.value.find(each => each.name === sandbox)?.token ?? null
  const test = received && { name: 'test', write: () => toTest(sendable, received, own) }
  const formats = test ? [...SNIPPETS, test] : SNIPPETS
  const { name, write } = formats.find(each => each.name === chosen.value) ?? SNIPPETS[0]!
  return (
    <span class="copy-as">
      <CopyButton text={write(sendable, base)} what={`as ${name}`} label="Copy as" />
      <Select
        bare
        label="Format of the copy"
        value={name}
        choices={formats.map(each => each.name)}
        onChange={writer(chosen)}
      />
    </span>
  )
}
