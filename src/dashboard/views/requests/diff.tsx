import { hrefTo } from '../../state/place.ts'
import type { Json, Op } from '../../types.ts'

const show = (value: unknown) => JSON.stringify(value)

interface Line {
  symbol: '+' | '-' | ' '
  text: string
}

function linesOf({ before, after }: Op): Line[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name): Line[] => {
    const [old, fresh] = [show((before ?? ({} as Json))[name]), show((after ?? ({} as Json))[name])]
    if (old === fresh) return [{ symbol: ' ', text: `${name}: ${old}` }]
    return [
      ...(old === undefined ? [] : [{ symbol: '-' as const, text: `${name}: ${old}` }]),
      ...(fresh === undefined ? [] : [{ symbol: '+' as const, text: `${name}: ${fresh}` }]),
    ]
  })
}

const SPOKEN: Record<string, string> = { '+': 'added: ', '-': 'removed: ', ' ': '' }

/** State changes by record. */
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
            {linesOf(op).map(({ symbol, text }) => (
              <li key={symbol + text} class={symbol === '+' ? 'added' : symbol === '-' ? 'removed' : ''}>
                <span aria-hidden="true">{symbol}</span>
                <span class="hidden">{SPOKEN[symbol]}</span>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
