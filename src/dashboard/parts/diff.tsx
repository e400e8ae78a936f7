import type { ComponentChildren } from 'preact'
import type { Op } from '../types.ts'
import { NameLink } from './links.tsx'

const MARKS = { added: '+', removed: '−', same: '' }

type DiffLine = { kind: keyof typeof MARKS; text: string }

export const diffLines = (kind: DiffLine['kind'], texts: string[]): DiffLine[] => texts.map(text => ({ kind, text }))

/** One change per line, below a heading. Screen readers get words instead of marks. */
export const DiffLines = ({ lines, children }: { lines: readonly DiffLine[]; children?: ComponentChildren }) => (
  <div class="diff">
    {children}
    <ul>
      {lines.map(({ kind, text }, i) => (
        <li key={i} class={kind}>
          <span aria-hidden="true">{MARKS[kind]}</span>
          {kind !== 'same' && <span class="hidden">{kind}: </span>}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  </div>
)

function linesOf({ before, after }: Op): DiffLine[] {
  return Object.keys({ ...before, ...after }).flatMap(name => {
    const fieldOf = (row: Op['before']) => (row && name in row ? [`${name}: ${JSON.stringify(row[name])}`] : [])
    const [old, fresh] = [fieldOf(before), fieldOf(after)]
    return old[0] === fresh[0] ? diffLines('same', old) : [...diffLines('removed', old), ...diffLines('added', fresh)]
  })
}

/** State changes by record. */
export const Diff = ({ ops, sandbox }: { ops: readonly Op[]; sandbox: string }) => (
  <div class="diffs">
    {ops.map(op => (
      <DiffLines key={`${op.table} ${op.id}`} lines={linesOf(op)}>
        <p>
          <span class="tag">{op.before === null ? '+ added' : op.after === null ? '− removed' : '✎ changed'}</span>{' '}
          <NameLink text={op.id} sandbox={sandbox} class="" /> <span class="muted">in {op.table}</span>
        </p>
      </DiffLines>
    ))}
  </div>
)
