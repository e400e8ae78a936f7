import type { Json } from '../../types.ts'
import { EFFECTS, type Setting } from './effects.ts'

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
