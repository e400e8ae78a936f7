import { hrefTo } from '../../state/place.ts'
import type { Json, Op } from '../../types.ts'

const show = (value: unknown) => JSON.stringify(value)

interface Line {
  sign: '+' | '-' | ' '
  text: string
}

function linesOf({ before, after }: Op): Line[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name): Line[] => {
    const [old, fresh] = [show((before ?? ({} as Json))[name]), show((after ?? ({} as Json))[name])]
    if (old === fresh) return [{ sign: ' ', text: `${name}: ${old}` }]
    return [
      ...(old === undefined ? [] : [{ sign: '-' as const, text: `${name}: ${old}` }]),
      ...(fresh === undefined ? [] : [{ sign: '+' as const, text: `${name}: ${fresh}` }]),
    ]
  })
}

const WORDS: Record<string, string> = { '+': 'added: ', '-': 'removed: ', ' ': '' }

/** What a request did to the state, record by record. */
export function Diff({ ops, sandbox }: { ops: readonly Op[]; sandbox: string }) {
  return (
    <div class="diffs">
      {ops.map(op => (
        <div key={`${op.table} ${op.id}`} class="diff">
          <p>
            <span class="tag">{op.before === null ? '+ added' : op.after === null ? '− removed' : '✎ changed'}</span>{' '}
            <a href={hrefTo(['resources', op.table, op.id], { sandbox })}>{op.id}</a>{' '}
            <span class="muted">in {op.table}</span>
          </p>
          <ul>
            {linesOf(op).map(({ sign, text }) => (
              <li key={sign + text} class={sign === '+' ? 'added' : sign === '-' ? 'removed' : ''}>
                <span aria-hidden="true">{sign}</span>
                <span class="hidden">{WORDS[sign]}</span>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
