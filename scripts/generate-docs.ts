import { assumptions } from '../src/assumptions.ts'
import { settings, toFlag, toVariable } from '../src/cli/settings.ts'

/** Puts generated text between two marks of a document; what stands around them is written by hand. */
export function fill(document: string, mark: string, text: string): string {
  const [begin, end] = [`<!-- ${mark}:begin -->`, `<!-- ${mark}:end -->`]
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`there is no ${begin} … ${end}`)
  return `${document.slice(0, from + begin.length)}\n${text}\n${document.slice(to)}`
}

const cell = (text: unknown) => String(text).replaceAll('|', '\\|')
const table = (head: string[], rows: unknown[][]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

export const guesses = () =>
  table(
    ['name', 'what is assumed', 'other values'],
    Object.entries(assumptions).map(([name, { question, default: value, alternatives }]) => [
      `\`${name}\``,
      `${question} **${value}**`,
      alternatives.map(other => `\`${other}\``).join(', ') || '–',
    ]),
  )

export const options = () =>
  table(
    ['flag', 'variable', 'key of the file', 'default', ''],
    Object.entries(settings).map(([name, setting]) => [
      `\`--${toFlag(name)}\``,
      `\`${toVariable(name)}\``,
      `\`${name}\``,
      'default' in setting ? `\`${setting.default}\`` : '',
      `${setting.describe}${'choices' in setting ? ` (${setting.choices.join(', ')})` : ''}`,
    ]),
  )

/** What the command line says of itself. */
export const commands = (helps: [command: string, help: string][]) =>
  helps.map(([command, help]) => `### edgesim ${command}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\``).join('\n\n')
