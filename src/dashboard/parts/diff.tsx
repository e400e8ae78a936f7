import type { ComponentChildren } from 'preact'
import type { Op } from '../types.ts'
import { NameLink } from './links.tsx'

export interface DiffLine {
  kind: 'added' | 'removed' | 'same'
  text: string
}

const MARKS = { added: '+', removed: '−', same: '' }

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
  return Object.keys({ ...before, ...after }).flatMap((name): DiffLine[] => {
    const [old, fresh] = [before, after].map(row => row && name in row && `${name}: ${JSON.stringify(row[name])}`)
    if (old && old === fresh) return [{ kind: 'same', text: old }]
    const removed: DiffLine[] = old ? [{ kind: 'removed', text: old }] : []
    return fresh ? [...removed, { kind: 'added', text: fresh }] : removed
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
