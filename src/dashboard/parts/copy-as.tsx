import { useSignal } from '@preact/signals'
import type { Sendable } from '../snippets/sendable.ts'
import { SNIPPETS } from '../snippets/snippets.ts'
import { writer } from '../state/signals.ts'
import { base } from '../wire/control.ts'
import { CopyButton } from './button.tsx'
import { Select } from './inputs.tsx'

interface Props {
  sendable: Sendable
  /** A Vitest test that repeats the request, if there was a response to expect. */
  toTest?(): string
}

/** Copies a request as code. */
export function CopyAs({ sendable, toTest }: Props) {
  const name = useSignal('curl')
  const snippet = SNIPPETS.find(each => each.name === name.value)
  return (
    <span class="copy-as">
      <CopyButton
        text={snippet ? snippet.write(sendable, base) : (toTest?.() ?? '')}
        what={`as ${name.value}`}
        label="Copy as"
      />
      <Select
        bare
        label="Format of the copy"
        value={name.value}
        choices={[...SNIPPETS.map(each => each.name), ...(toTest ? ['test'] : [])]}
        onChange={writer(name)}
      />
    </span>
  )
}
