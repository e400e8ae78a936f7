export interface Setting {
  name: string
  label: string
  kind: 'duration' | 'number' | 'choice'
  /** The initial value. */
  initial?: string
  /** Placeholder of an optional setting. Settings without one are required. */
  placeholder?: string
  choices?: string[]
  least?: number
  most?: number
}

const duration = (name: string, label: string, initial: string): Setting => ({ name, label, kind: 'duration', initial })

/** An effect sets one field of the rule. The hint says what the client gets, and whether the request is executed. */
const effectOn =
  (field: 'fault' | 'latency' | 'rate_limit') =>
  (name: string, label: string, hint: string, settings: Setting[] = []) => ({ field, name, label, hint, settings })

const [fault, latency, rateLimit] = [effectOn('fault'), effectOn('latency'), effectOn('rate_limit')]

/** Effects of a rule with their main settings. docs/scenarios.md lists all settings. */
export const EFFECTS = [
  fault('error', 'Error', "Request not executed. The client gets this error in the API's error format.", [
    { name: 'status', label: 'Status', kind: 'number', initial: '503', least: 400, most: 599 },
    { name: 'retry_after', label: 'Retry after', kind: 'duration', initial: '2s', placeholder: 'not sent' },
  ]),
  fault('reset', 'Connection reset', 'Request not executed. A retry is safe.'),
  fault('lost-reply', 'Lost reply', 'Request executed, then the connection is reset. A retry writes a second time.'),
  fault('hang', 'Hang', 'Request not executed. No response, then the connection ends.', [
    { name: 'for', label: 'Duration', kind: 'duration', placeholder: 'until the client disconnects' },
  ]),
  fault('truncate', 'Truncated response', 'Request executed. The response is cut off.', [
    { name: 'after', label: 'Cut off after (bytes)', kind: 'number', least: 0, placeholder: 'half' },
  ]),
  fault('garbage', 'Garbage', 'Request executed. The response is invalid.', [
    { name: 'what', label: 'Invalid part', kind: 'choice', initial: 'json', choices: ['json', 'http'] },
  ]),
  fault('slow-body', 'Slow body', 'Request executed. The full response arrives slowly.', [
    { name: 'bytes_per_second', label: 'Bytes per second', kind: 'number', initial: '1000', least: 1 },
  ]),
  fault('stale-reads', 'Stale reads', 'Reads return the state from this long ago.', [duration('delay', 'Delay', '5s')]),
  latency('latency', 'Fixed latency', 'Delays the request before it is executed.', [duration('ms', 'Delay', '200ms')]),
  latency(
    'latency range',
    'Latency range',
    'Delays the request by a random time in this range before it is executed.',
    [duration('min', 'From', '50ms'), duration('max', 'To', '2s')],
  ),
  latency(
    'latency percentiles',
    'Latency percentiles',
    '50% of requests wait up to p50, 95% up to p95, 99% up to p99.',
    [duration('p50', 'p50', '80ms'), duration('p95', 'p95', '300ms'), duration('p99', 'p99', '1s')],
  ),
  rateLimit('rate limit', 'Rate limit', 'Requests beyond the limit get 429 with Retry-After.', [
    { name: 'requests', label: 'Requests', kind: 'number', initial: '120', least: 1 },
    duration('per', 'Per', '60s'),
    { name: 'window', label: 'Window', kind: 'choice', initial: 'rolling', choices: ['rolling', 'fixed'] },
  ]),
]
