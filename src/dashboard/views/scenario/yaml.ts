const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./ ()'-]*$/
const SPECIAL = /^(true|false|null|yes|no|on|off|y|n|~)$/i
const DURATION = /^\d+(ms|s|m|h|d)$/
const RANGE = /^\d+-\d*$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A value on one line. What could be read as anything else is put in quotes. */
export function flow(value: unknown): string {
  if (typeof value === 'string') return scalar(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, inner]) => `${scalar(name)}: ${flow(inner)}`)
    return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
  }
  return JSON.stringify(value) ?? 'null'
}

function scalar(text: string): string {
  if (DURATION.test(text) || RANGE.test(text) || TIME.test(text)) return text
  const plain = PLAIN.test(text) && !SPECIAL.test(text) && !text.endsWith(' ') && !text.includes(' #')
  return plain ? text : JSON.stringify(text)
}

/** A record as a block, its own values each on one line: how scenarios are written by hand. */
export const block = (value: Record<string, unknown>, indent: string) =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner], i) => `${i === 0 ? '' : indent}${scalar(name)}: ${flow(inner)}`)
    .join('\n')

/** A list of records, an item each. */
export const list = (items: Record<string, unknown>[]) => items.map(item => `  - ${block(item, '    ')}`).join('\n')
