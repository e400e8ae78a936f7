import { counted } from '../src/basics/text.ts'
import { type Command, commands } from '../src/cli/commands/commands.ts'
import { toFlag, toVariable } from '../src/cli/resolve.ts'
import { type Assumption, type AssumptionName, assumptions, valuesInSets } from '../src/contract/assumptions.ts'
import { type Evidence, sourcesDiffer } from '../src/contract/evidence.ts'
import type { AgentTool } from '../src/mcp/tools.ts'
import { type Option, optionNames, options } from '../src/options/options.ts'
import { experiments } from '../src/remote/probe/experiments.ts'
import { collections } from '../src/resources/index.ts'
import { operationOf, readOpenApi, readPairs, wasAnError } from './record.ts'

/** Puts generated text between two marks of a document; what stands around them is written by hand. */
export function fill(document: string, mark: string, text: string): string {
  const [begin, end] = [`<!-- ${mark}:begin -->`, `<!-- ${mark}:end -->`]
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`there is no ${begin} … ${end}`)
  return `${document.slice(0, from + begin.length)}\n${text}\n${document.slice(to)}`
}

const cell = (text: unknown) => String(text).replaceAll('|', '\\|')
export const table = (head: string[], rows: unknown[][]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

/** All assumptions, for docs/assumptions.md. */
export const assumptionTable = () =>
  table(
    ['name', 'question, and what is assumed', 'other values', 'why', 'known', 'section'],
    Object.entries<Assumption>(assumptions).map(([name, { why, section, evidence = [], ...assumption }]) => [
      ...assumptionCells(name, assumption),
      why,
      [...new Set(evidence.map(({ grade }) => grade))].join(', ') || 'assumed',
      section,
    ]),
  )

/** What a probe sends for each assumption, or why it sends nothing. */
export const experimentTable = () =>
  table(
    ['name', 'tried', 'left open, or why it is not tried'],
    Object.entries(experiments).map(([name, experiment]) => [
      `\`${name}\``,
      'steps' in experiment ? counted(experiment.steps.length, 'request') : 'no',
      'steps' in experiment ? (experiment.leavesOpen ?? '') : experiment.because,
    ]),
  )

/** The assumptions that README shows, each with the reason why it concerns most clients. */
const TOP_ASSUMPTIONS: Partial<Record<AssumptionName, string>> = {
  missing_version: 'It concerns every request.',
  unset_text: 'It concerns every answer. Public sources differ.',
  page_order: 'It concerns every list.',
  restriction_without_policies: 'Public sources say that ngrok refuses it: a client that works here could fail there.',
  delete_referenced: 'It decides in which order a client or a test must clean up.',
}

export const topAssumptionTable = () =>
  table(
    ['name', 'question, and what is assumed', 'other values', 'why it matters'],
    Object.entries(TOP_ASSUMPTIONS).map(([name, reason]) => [
      ...assumptionCells(name, assumptions[name as AssumptionName]),
      reason,
    ]),
  )

const assumptionCells = (
  name: string,
  { question, values: [value, ...others] }: Pick<Assumption, 'question' | 'values'>,
) => [`\`${name}\``, `${question} **${value}**`, others.map(other => `\`${other}\``).join(', ') || '–']

/** What the items of each list can be filtered by. */
export const filterableTable = () =>
  table(
    ['List', 'Members of `obj`'],
    collections.flatMap(({ path, filterable }) =>
      filterable ? [[`GET ${path}`, filterable.map(name => `\`${name}\``).join(', ')]] : [],
    ),
  )

/** How much of the vendor's API is served, by the first part of its paths. */
export function servedTable(): string {
  const described = Object.values(readOpenApi().operations).map(({ method, path }) => `${method} ${path}`)
  const pairs = Object.values(readPairs())
  const familyOf = (request: string) => `/${request.split('/')[1]!.split('?')[0]}`
  const counts = (family?: string) => {
    const [all, recorded] = [described, pairs.map(({ request }) => request)].map(requests =>
      requests.filter(each => family === undefined || familyOf(each) === family),
    ) as [string[], string[]]
    const errors = pairs.filter(pair => wasAnError(pair) && recorded.includes(pair.request))
    return [all.length, all.filter(operationOf).length, recorded.length, recorded.length - errors.length]
  }
  const families = [...new Set([...described, ...pairs.map(({ request }) => request)].map(familyOf))].sort()
  return table(
    ['paths', 'operations of the OpenAPI', 'served', 'published examples', 'answered as published'],
    [...families.map(family => [`\`${family}\``, ...counts(family)]), ['**all**', ...counts()]],
  )
}

/** What is known of a vendor, and what its set makes of it. */
export const evidenceTable = () =>
  table(
    ['name', 'what is known', '`--assume ngrok`'],
    Object.entries<Assumption>(assumptions).flatMap(
      ([
        name,
        {
          evidence = [],
          values: [usual],
        },
      ]) => {
        if (evidence.length === 0) return []
        const says = evidence.map(source => `**${source.grade}**${forValue(source)}: ${source.says}`)
        const { ngrok } = valuesInSets(name as AssumptionName)
        const known = [...(sourcesDiffer(evidence) ? ['The sources differ.'] : []), ...says]
        return [[`\`${name}\``, known.join('<br>'), ngrok ? `**${ngrok}**` : usual]]
      },
    ),
  )

const forValue = ({ value }: Evidence) => (value === undefined ? '' : ` for \`${value}\``)

export const optionTable = () =>
  table(
    ['flag', 'variable', 'key of the file', 'default', ''],
    Object.entries<Option>(options).map(([name, { describe, choices, default: value }]) => [
      `\`--${toFlag(name)}\``,
      `\`${toVariable(name)}\``,
      `\`${name}\``,
      value === undefined ? '' : `\`${value}\``,
      `${describe}${choices ? ` (${choices.join(', ')})` : ''}`,
    ]),
  )

/** What agents can call. */
export const toolTable = (tools: Iterable<AgentTool>) =>
  table(
    ['tool', 'what it does', ''],
    Array.from(tools, ({ name, summary, effect }) => [`\`${name}\``, summary, effect]),
  )

/** Every command out of the table that yargs is given too. */
export const commandSections = () => Object.values<Command>(commands).map(commandSection).join('\n\n')

function commandSection({ usage, describe, options: taken, own: ownOptions = {}, examples }: Command): string {
  const own = Object.entries(ownOptions).map(([name, { describe }]) => `- \`--${name}\`: ${describe}`)
  const all = taken.length > 10
  const shared = all ? [] : taken.map(name => `\`--${toFlag(name)}\``)
  const missing = optionNames.filter(name => !taken.includes(name))
  const but = missing.length > 0 ? ` but ${missing.map(name => `\`--${toFlag(name)}\``).join(', ')}` : ''
  const takes = all ? `Takes all the options above${but}.` : shared.length > 0 ? `Takes ${shared.join(', ')}.` : ''
  const shown = examples.map(([command, what]) => `- \`${`edgesim ${command}`.trim()}\`: ${what}`)
  const parts = [`### edgesim ${usage}`, `${describe}.`, takes, own.join('\n'), `For example:\n\n${shown.join('\n')}`]
  return parts.filter(Boolean).join('\n\n')
}
