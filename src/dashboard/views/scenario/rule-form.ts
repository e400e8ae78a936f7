import type { Json } from '../../types.ts'

export interface Setting {
  name: string
  label: string
  kind: 'duration' | 'number' | 'choice'
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

/** The form values, as typed. */
export const EMPTY_FORM = {
  name: '',
  operations: [] as string[],
  methods: [] as string[],
  effect: 'error',
  /** By effect and setting, so switching effects preserves values. */
  settings: {} as Record<string, string>,
  percent: '',
  times: '',
}

export type RuleForm = typeof EMPTY_FORM

export const effectOf = ({ effect }: RuleForm) => EFFECTS.find(({ name }) => name === effect)!

export const settingOf = (form: RuleForm, { name, initial = '' }: Setting) =>
  form.settings[`${form.effect} ${name}`] ?? initial

/** The default rule name. */
export function nameOf({ effect, operations, methods }: RuleForm): string {
  const targets = operations.length > 0 ? operations : methods
  return `${effect}${targets.length > 0 ? ` for ${targets.join(', ')}` : ''}`.slice(0, 100)
}

const oneOrMore = (list: string[]) => (list.length > 1 ? list : list[0])

/** The rule of the form, without empty settings. */
export function ruleOf(form: RuleForm): Json {
  const { operations, methods, percent, times } = form
  const { field, name, settings } = effectOf(form)
  const given = settings.flatMap(setting => {
    const text = settingOf(form, setting).trim()
    return text === '' ? [] : [[setting.name, setting.kind === 'number' ? Number(text) : text]]
  })
  const values: Json = Object.fromEntries(given)
  const isLimited = operations.length > 0 || methods.length > 0
  const isSometimes = percent !== '' && Number(percent) !== 100
  return {
    name: form.name.trim() || nameOf(form),
    when: isLimited ? { operation: oneOrMore(operations), method: oneOrMore(methods) } : undefined,
    probability: isSometimes ? Number((Number(percent) / 100).toFixed(6)) : undefined,
    times: times === '' ? undefined : Number(times),
    // A fixed latency is a duration instead of an object.
    [field]: field === 'fault' ? { type: name, ...values } : (values.ms ?? values),
  }
}

/**
 * Appends a rule, passed as YAML with a `rules:` key. The text is not parsed, so formatting and comments are preserved.
 * Returns undefined if the rules are not a block list.
 */
export function withRule(text: string, rule: string): string | undefined {
  const lines = text.trimEnd().split('\n')
  const at = lines.findIndex(line => line.startsWith('rules:'))
  if (at < 0) return `${[...(text.trim() ? lines : []), rule.trimEnd()].join('\n')}\n`
  const [, empty, rest] = /^rules:\s*(\[\s*\])?\s*(.*)$/.exec(lines[at]!)!
  if (rest && !rest.startsWith('#')) return undefined
  if (empty) lines[at] = 'rules:'
  // The list ends at the next key or the comments before it.
  const next = lines.findIndex((line, i) => i > at && /^[^\s#-]/.test(line))
  let end = next < 0 ? lines.length : next
  while (end > at + 1 && /^(#.*|\s*)$/.test(lines[end - 1]!)) end--
  const first = lines.slice(at + 1, end).find(line => /^\s*- /.test(line)) ?? '  - '
  const indent = first.slice(0, first.indexOf('-'))
  const [, ...added] = rule.trimEnd().split('\n')
  return `${[...lines.slice(0, end), ...added.map(line => indent + line.slice(2)), ...lines.slice(end)].join('\n')}\n`
}
