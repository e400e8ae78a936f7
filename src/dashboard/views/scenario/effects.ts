import type { Json } from '../../types.ts'

export interface Setting {
  name: string
  label: string
  kind: 'duration' | 'number' | 'choice'
  /** What is there at first; none if it can be left out. */
  first?: string
  /** What it means to leave it out. A setting without it is required. */
  without?: string
  choices?: string[]
  least?: number
  most?: number
}

interface Effect {
  name: string
  label: string
  /** What the client sees, and whether the call is carried out. */
  hint: string
  settings: Setting[]
  /** The members of the rule. */
  make(settings: Json): Json
}

const fault = (type: string, label: string, hint: string, settings: Setting[] = []): Effect => ({
  name: type,
  label,
  hint,
  settings,
  make: given => ({ fault: { type, ...given } }),
})

const duration = (name: string, label: string, first: string): Setting => ({ name, label, kind: 'duration', first })

/** What a rule can do, with its main settings; docs/scenarios.md has all of them. */
export const EFFECTS: Effect[] = [
  fault('error', 'Error', 'Not carried out. The client sees that error, in the shape of the API.', [
    { name: 'status', label: 'Status', kind: 'number', first: '503', least: 400, most: 599 },
    { name: 'retry_after', label: 'Retry after', kind: 'duration', first: '2s', without: 'not said' },
  ]),
  fault('reset', 'Connection reset', 'Not carried out. A retry is safe.'),
  fault('lost-reply', 'Lost reply', 'Carried out, then the connection is reset. A retry writes a second time.'),
  fault('hang', 'Hang', 'Not carried out. Nothing comes, then the connection ends.', [
    { name: 'for', label: 'For', kind: 'duration', without: 'until the client leaves' },
  ]),
  fault('truncate', 'Truncated answer', 'Carried out. The answer ends too early.', [
    { name: 'after', label: 'After so many bytes', kind: 'number', least: 0, without: 'half of it' },
  ]),
  fault('garbage', 'Garbage', 'Carried out. The answer cannot be read.', [
    { name: 'what', label: 'What', kind: 'choice', first: 'json', choices: ['json', 'http'] },
  ]),
  fault('slow-body', 'Slow body', 'Carried out. The whole answer comes, slowly.', [
    { name: 'bytes_per_second', label: 'Bytes a second', kind: 'number', first: '1000', least: 1 },
  ]),
  fault('stale-reads', 'Stale reads', 'Reads see the state as it was that long ago.', [
    duration('delay', 'Delay', '5s'),
  ]),
  {
    name: 'latency',
    label: 'Latency, always the same',
    hint: 'The call waits so long before it is carried out.',
    settings: [duration('ms', 'How long', '200ms')],
    make: ({ ms }) => ({ latency: ms }),
  },
  {
    name: 'latency range',
    label: 'Latency between two',
    hint: 'The call waits before it is carried out, evenly between the two.',
    settings: [duration('min', 'From', '50ms'), duration('max', 'To', '2s')],
    make: latency => ({ latency }),
  },
  {
    name: 'latency percentiles',
    label: 'Latency by percentiles',
    hint: 'Half of the calls wait no longer than p50, 95% no longer than p95, 99% no longer than p99.',
    settings: [duration('p50', 'p50', '80ms'), duration('p95', 'p95', '300ms'), duration('p99', 'p99', '1s')],
    make: latency => ({ latency }),
  },
  {
    name: 'rate limit',
    label: 'Rate limit',
    hint: 'Calls beyond it are refused with 429 and Retry-After.',
    settings: [
      { name: 'requests', label: 'Requests', kind: 'number', first: '120', least: 1 },
      duration('per', 'Per', '60s'),
      { name: 'window', label: 'Window', kind: 'choice', first: 'rolling', choices: ['rolling', 'fixed'] },
    ],
    make: rate_limit => ({ rate_limit }),
  },
]
