import type { ListedEntry } from '../types.ts'

/** By the first digit. A symbol in addition to the colour, for colour-blind users. */
const STATUS_SYMBOLS: Record<string, [symbol: string, kind: string]> = {
  0: ['⌀', 'bad'],
  2: ['✓', 'good'],
  3: ['→', 'plain'],
  4: ['!', 'warn'],
  5: ['✕', 'bad'],
}

export function Status({ status }: { status: number | null }) {
  const [symbol, kind] = STATUS_SYMBOLS[Math.floor((status ?? 0) / 100)] ?? ['·', 'plain']
  return (
    <span class={`status ${kind}`}>
      <span aria-hidden="true">{symbol}</span> {status ?? <span class="no-response">no response</span>}
    </span>
  )
}

export const Method = ({ method }: { method: string }) => <span class="method">{method}</span>

export const durationOf = ({ duration_ms }: Pick<ListedEntry, 'duration_ms'>) => formatMs(duration_ms)

export function formatMs(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 100 ? `${Math.round(ms)} ms` : `${ms.toFixed(ms >= 10 ? 0 : 1)} ms`
}

/** Time of day, with milliseconds if known. */
export const timeOf = (at: string) => at.slice(11, -1)
export const longTime = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
export const dayTime = (at: Date) => `${at.toISOString().slice(11, 19)} UTC`
