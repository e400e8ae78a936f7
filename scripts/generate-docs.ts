import { counted } from '../src/basics/text.ts'
import { type Command, commands } from '../src/cli/commands/commands.ts'
import type { AgentTool } from '../src/cli/mcp/tools.ts'
import { toFlag, toVariable } from '../src/cli/resolve.ts'
import { experiments } from '../src/ngrok/real-api/probe/experiments.ts'
import { type Option, optionNames, options } from '../src/simulator/options/options.ts'
import { operationOf, readOpenApi, readPairs, wasAnError } from './record.ts'

/** Replaces the text between two marks of a document. */
export function fill(document: string, mark: string, text: string): string {
  const [begin, end] = [`<!-- ${mark}:begin -->`, `<!-- ${mark}:end -->`]
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`Cannot find ${begin} … ${end}.`)
  return `${document.slice(0, from + begin.length)}\n${text}\n${document.slice(to)}`
}

const cell = (text: unknown) => String(text).replaceAll('|', '\\|')
export const code = (text: unknown) => `\`${text}\``
export const codes = (texts: readonly unknown[]) => texts.map(code).join(', ')
export const table = (head: string[], rows: unknown[][]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

/** Probe requests for each assumption, or the reason for none. */
export const experimentTable = () =>
  table(
    ['Assumption', 'Probe', 'Open question, or reason for no probe'],
    Object.entries(experiments).map(([name, experiment]) => [
      `\`${name}\``,
      'steps' in experiment ? counted(experiment.steps.length, 'request') : 'no',
      'steps' in experiment ? (experiment.leavesOpen ?? '') : experiment.because,
    ]),
  )

/** Coverage of the vendor's API by path prefix, for prefixes with different numbers. */
export function servedTable(): string {
  const described = Object.values(readOpenApi().operations).map(({ method, path }) => `${method} ${path}`)
  const pairs = Object.values(readPairs())
  const prefixOf = (request: string) => `/${request.split('/')[1]!.split('?')[0]}`
  const prefixes = [...new Set([...described, ...pairs.map(({ request }) => request)].map(prefixOf))].sort()
  const countsOf = (chosen: string[]) => {
    const isChosen = (request: string) => chosen.includes(prefixOf(request))
    const all = described.filter(isChosen)
    const examples = pairs.filter(({ request }) => isChosen(request))
    const errors = examples.filter(wasAnError)
    return [all.length, all.filter(operationOf).length, examples.length, examples.length - errors.length]
  }
  const differ = prefixes.filter(prefix => new Set(countsOf([prefix])).size > 1)
  const others = prefixes.filter(prefix => !differ.includes(prefix))
  return table(
    ['Paths', 'Operations in OpenAPI', 'Served', 'Published examples', 'Same response'],
    [
      ...differ.map(prefix => [`\`${prefix}\``, ...countsOf([prefix])]),
      [`${others.length} others`, ...countsOf(others)],
      ['All', ...countsOf(prefixes)],
    ],
  )
}

export const optionTable = () =>
  table(
    ['Flag', 'Variable', 'Config key', 'Default', 'Description'],
    Object.entries<Option>(options).map(([name, { describe, choices, default: value }]) => [
      `\`--${toFlag(name)}\``,
      `\`${toVariable(name)}\``,
      `\`${name}\``,
      value === undefined ? '' : `\`${value}\``,
      `${describe}${choices ? ` (${choices.join(', ')})` : ''}`,
    ]),
  )

export const toolTable = (tools: Iterable<AgentTool>) =>
  table(
    ['Tool', 'Description', 'Effect', 'Offered'],
    Array.from(tools, ({ name, summary, effect, core }) => [
      `\`${name}\``,
      summary,
      effect,
      core ? 'always' : '`--all-tools`',
    ]),
  )

/** Every command, from the table that also configures yargs. */
export const commandSections = () => Object.values<Command>(commands).map(commandSection).join('\n\n')

function commandSection({ usage, describe, options: taken, own: ownOptions = {}, examples }: Command): string {
  const own = Object.entries(ownOptions).map(([name, { describe }]) => `- \`--${name}\`: ${describe}`)
  const all = taken.length > 10
  const shared = all ? [] : taken.map(name => `\`--${toFlag(name)}\``)
  const missing = optionNames.filter(name => !taken.includes(name))
  const except = missing.length > 0 ? ` except ${missing.map(name => `\`--${toFlag(name)}\``).join(', ')}` : ''
  const takes = all ? `Options: all above${except}.` : shared.length > 0 ? `Options: ${shared.join(', ')}.` : ''
  const shown = examples.map(([command, what]) => `- \`${`edgesim ${command}`.trim()}\`: ${what}`)
  const parts = [`### edgesim ${usage}`, `${describe}.`, takes, own.join('\n'), `Examples:\n\n${shown.join('\n')}`]
  return parts.filter(Boolean).join('\n\n')
}
