import type { Json } from '../../types.ts'
import { EFFECTS, type Setting } from './effects.ts'

/** What the form holds: texts, as they were typed. */
export interface RuleForm {
  name: string
  operations: string[]
  methods: string[]
  effect: string
  /** By effect and setting, so that what was typed stays when another effect is looked at. */
  settings: Record<string, string>
  percent: string
  times: string
}

export const EMPTY_FORM: RuleForm = {
  name: '',
  operations: [],
  methods: [],
  effect: 'error',
  settings: {},
  percent: '',
  times: '',
}

export const effectOf = ({ effect }: RuleForm) => EFFECTS.find(({ name }) => name === effect)!

export const settingOf = (form: RuleForm, { name, first = '' }: Setting) =>
  form.settings[`${form.effect} ${name}`] ?? first

/** The name of a rule that was given none. */
export function nameOf({ effect, operations, methods }: RuleForm): string {
  const about = operations.length > 0 ? operations : methods
  return `${effect}${about.length > 0 ? ` for ${about.join(', ')}` : ''}`.slice(0, 100)
}

const oneOrMore = (list: string[]) => (list.length === 1 ? list[0] : list)

/** The rule that the form describes. What was left out is not in it. */
export function ruleOf(form: RuleForm): Json {
  const effect = effectOf(form)
  const given = effect.settings
    .map(setting => [setting, settingOf(form, setting).trim()] as const)
    .filter(([, text]) => text !== '')
  const { operations, methods, percent, times } = form
  const when = {
    ...(operations.length > 0 ? { operation: oneOrMore(operations) } : {}),
    ...(methods.length > 0 ? { method: oneOrMore(methods) } : {}),
  }
  return {
    name: form.name.trim() || nameOf(form),
    ...(Object.keys(when).length > 0 ? { when } : {}),
    ...(percent !== '' && Number(percent) !== 100 ? { probability: Number((Number(percent) / 100).toFixed(6)) } : {}),
    ...(times === '' ? {} : { times: Number(times) }),
    ...effect.make(
      Object.fromEntries(given.map(([{ name, kind }, text]) => [name, kind === 'number' ? Number(text) : text])),
    ),
  }
}

/**
 * The text of a scenario with one more rule, given as `rules:` with that rule in it. The text is not parsed, so what else
 * was typed stays as it is, with its comments. Undefined if its rules are not written as a list, line by line.
 */
export function withRule(text: string, rule: string): string | undefined {
  const lines = text.trimEnd().split('\n')
  const at = lines.findIndex(line => line.startsWith('rules:'))
  if (at < 0) return `${[...(text.trim() ? lines : []), rule.trimEnd()].join('\n')}\n`
  const [, empty, rest] = /^rules:\s*(\[\s*\])?\s*(.*)$/.exec(lines[at]!)!
  if (rest && !rest.startsWith('#')) return undefined
  if (empty) lines[at] = 'rules:'
  // The list ends where the next member begins, or a comment before it.
  const next = lines.findIndex((line, i) => i > at && /^[^\s#-]/.test(line))
  let end = next < 0 ? lines.length : next
  while (end > at + 1 && /^(#.*|\s*)$/.test(lines[end - 1]!)) end--
  const first = lines.slice(at + 1, end).find(line => /^\s*- /.test(line)) ?? '  - '
  const indent = first.slice(0, first.indexOf('-'))
  const added = rule
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => indent + line.slice(2))
  return `${[...lines.slice(0, end), ...added, ...lines.slice(end)].join('\n')}\n`
}
