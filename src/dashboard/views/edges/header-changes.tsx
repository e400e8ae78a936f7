interface Props {
  /** All headers, if known. */
  headers?: Record<string, string | string[]>
  added: Record<string, string>
  removed: readonly string[]
}

const MARKS = { added: '+', removed: '−', '': '' }

/** One header per line. Added and removed headers are marked. */
export function HeaderChanges({ headers = {}, added, removed }: Props) {
  const lowered = Object.entries(added).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
  const isAdded = (name: string, value: string) => lowered.includes(`${name.toLowerCase()}: ${value}`)
  const current = Object.entries(headers).flatMap(([name, values]) => [values].flat().map(value => ({ name, value })))
  const lines: { kind: keyof typeof MARKS; text: string }[] = [
    ...removed.map(name => ({ kind: 'removed' as const, text: name })),
    ...current
      .filter(({ name, value }) => !isAdded(name, value))
      .map(({ name, value }) => ({ kind: '' as const, text: `${name}: ${value}` })),
    ...Object.entries(added).map(([name, value]) => ({ kind: 'added' as const, text: `${name}: ${value}` })),
  ]
  return (
    <ul>
      {lines.map(({ kind, text }, i) => (
        <li key={i} class={kind}>
          <span aria-hidden="true">{MARKS[kind]}</span>
          {kind && <span class="hidden">{kind}: </span>}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
