interface Props {
  /** All of them, where more is known than what was changed. */
  headers?: Record<string, string | string[]>
  added: Record<string, string>
  removed: readonly string[]
}

const WORDS = { added: '+', removed: '−', '': '' }

/** A header a line, with what was added and removed. */
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
