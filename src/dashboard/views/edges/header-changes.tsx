interface Props {
  /** All headers, where they are known. */
  headers?: Record<string, string | string[]>
  added: Record<string, string>
  removed: readonly string[]
}

const WORDS = { added: '+', removed: '−', '': '' }

/** One header per line; those that were added or removed are marked. */
export function HeaderChanges({ headers = {}, added, removed }: Props) {
  const lowered = Object.entries(added).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
  const isAdded = (name: string, value: string) => lowered.includes(`${name.toLowerCase()}: ${value}`)
  const kept = Object.entries(headers).flatMap(([name, values]) => [values].flat().map(value => ({ name, value })))
  const lines: { kind: keyof typeof WORDS; text: string }[] = [
    ...removed.map(name => ({ kind: 'removed' as const, text: name })),
    ...kept
      .filter(({ name, value }) => !isAdded(name, value))
      .map(({ name, value }) => ({ kind: '' as const, text: `${name}: ${value}` })),
    ...Object.entries(added).map(([name, value]) => ({ kind: 'added' as const, text: `${name}: ${value}` })),
  ]
  return (
    <ul>
      {lines.map(({ kind, text }, i) => (
        <li key={i} class={kind}>
          <span aria-hidden="true">{WORDS[kind]}</span>
          {kind && <span class="hidden">{kind}: </span>}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
