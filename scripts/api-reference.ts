import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anyOf, capital, pluralOf } from '../src/basics/text.ts'
import { GRADES, gradeOf } from '../src/contract/evidence.ts'
import { anchorOf } from '../src/control/page/render-document.ts'
import { valuesInPresets } from '../src/engine/assumptions.ts'
import type { Collection, Entries, Operation } from '../src/engine/language/index.ts'
import type { Assumption } from '../src/engine/question.ts'
import type { AssumptionName } from '../src/ngrok/assumed.ts'
import { assumptions, ngrokAssumptions } from '../src/ngrok/questions.ts'
import { collections, entryLists, kindOf, modules, operations } from '../src/ngrok/resources/index.ts'
import { errorRows } from './errors.ts'
import { fieldTable, operationsOf, pathTo, type Resource } from './field-tables.ts'
import { code, codes, table } from './generate-docs.ts'

/** The API reference: docs/api.md, and a page for each folder of src/ngrok/resources. */

/** `api.md` and `api/keys.md` … */
const pageNames = (root: string) => [
  'api.md',
  ...readdirSync(join(root, 'docs/api')).flatMap(name => (name.endsWith('.md') ? `api/${name}` : [])),
]
const readPage = (root: string, page: string) => readFileSync(join(root, 'docs', page), 'utf8')

interface Section {
  title: string
  /** Relative to docs. */
  link: string
}

/** Sections of all pages by number. */
function readSections(root: string): Map<string, Section> {
  const sections = new Map<string, Section>()
  for (const page of pageNames(root))
    for (const [, heading, number, title] of readPage(root, page).matchAll(/^#+ ((\d+(?:\.\d+)*)\.? (.*))$/gm)) {
      if (sections.has(number!)) throw new Error(`Duplicate section ${number} in docs/${page}.`)
      sections.set(number!, { title: title!, link: `${page}#${anchorOf(heading!)}` })
    }
  return sections
}

function sectionAt(sections: Map<string, Section>, number: string): Section {
  const section = sections.get(number)
  if (!section) throw new Error(`No page has a section ${number}.`)
  return section
}

const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** The sections of all resources. The dashboard links to their anchors. */
export function resourceTable(root: string): string {
  const sections = readSections(root)
  const numbers = [...new Set(operations.map(({ section }) => section))].sort(byNumber)
  return table(
    ['Section', 'Resource', 'Paths', 'Operations'],
    numbers.map(number => {
      const { title, link } = sectionAt(sections, number)
      const own = operations.filter(({ section }) => section === number)
      const paths = [...new Set(own.map(pathOf))]
      return [
        `<a id="section-${number}"></a>${number}`,
        `[${title}](${link})`,
        codes(paths),
        [...new Set(own.map(verbOf))].join(', '),
      ]
    }),
  )
}

const verbOf = ({ id }: Operation) => id.split('_')[0]!
/** A collection's path, or the last part of a module's path. */
const pathOf = ({ resource, path, kind }: Operation) =>
  kind.endsWith('_module')
    ? `…/${path.split('/').at(-1)}`
    : 'path' in resource
      ? resource.path
      : path.replace(/\/\{type\}$/, '')

/** Generated text by mark, for each page of docs/api. */
export function pageBlocks(root: string): Record<string, Record<string, string>> {
  const parts = partsBySection(root)
  const blockOf = (mark: string) => {
    const part = parts.get(mark)
    return part ? notesOf(part) : resourceBlock(mark)
  }
  return Object.fromEntries(
    pageNames(root)
      .slice(1)
      .map(page => {
        const marks = Array.from(readPage(root, page).matchAll(/<!-- (\S+):begin -->/g), ([, mark]) => mark!)
        return [`docs/${page}`, Object.fromEntries(marks.map(mark => [mark, blockOf(mark)]))]
      }),
  )
}

/** The marks of docs/api: a resource or a kind of module each, and every section. */
export const expectedMarks = (root: string) => [
  ...collections.map(({ name }) => name),
  ...entryLists.map(({ name }) => name),
  ...new Set(modules.map(({ of }) => `${of.key}_module`)),
  ...[...partsBySection(root).keys()].filter(number => number !== GENERAL),
]

function resourceBlock(mark: string): string {
  const resource = [...collections, ...entryLists].find(({ name }) => name === mark)
  if (resource) return [headOf(resource), fieldTable(resource)].join('\n\n')
  const same = modules.filter(({ of }) => `${of.key}_module` === mark)
  if (same.length === 0) throw new Error(`Unknown mark ${mark}.`)
  const paths = same.map(module => `- ${code(pathTo(module))}: ${operationIds(module)}`).join('\n')
  const variants = [...new Set(same.map(({ fields }) => fields))]
  const tables = variants.map(fields => {
    const holders = same.filter(module => module.fields === fields).map(({ of }) => pluralOf(kindOf(of.table).label))
    const rows = fieldTable(same.find(module => module.fields === fields)!)
    return variants.length > 1 ? `${capital(anyOf(holders))}:\n\n${rows}` : rows
  })
  return [paths, ...tables].join('\n\n')
}

const operationIds = (resource: Resource) => codes(operationsOf(resource).map(({ id }) => id))

function headOf(resource: Collection | Entries): string {
  const { prefix, listAs, filterable, picks, withoutUri } = resource as Partial<Collection>
  const facts = [
    `Path ${code(pathTo(resource))}`,
    prefix && `IDs start with ${code(`${prefix}_`)}`,
    listAs && `Listed as ${code(listAs)}`,
    withoutUri && !Object.hasOwn(resource.fields, 'uri') && `No ${code('uri')}`,
  ]
  const below = operationsOf(resource).filter(({ kind }) => kind === 'action' || kind === 'sublist')
  const lines = [
    `${facts.filter(Boolean).join('. ')}.`,
    `Operations: ${operationIds(resource)}.`,
    ...below.map(({ id, method, path }) => `${code(id)} is ${code(`${method} ${path}`)}.`),
    filterable && `[Filter](../api.md#108-filters) fields: ${codes(filterable)}.`,
    picks && `Other list parameters: ${codes(Object.keys(picks))}.`,
  ]
  return lines.flatMap(line => (line ? `- ${line}` : [])).join('\n')
}

/** Declarations also name smaller numbers, which are errors of every operation. */
const FIRST_NUMBER_OF_A_RESOURCE = 300
const GENERAL = 'general'

/** Documented errors and assumptions with a section's number, or named in its declarations. */
interface Part {
  numbers: number[]
  names: string[]
}

const rows = Object.entries<Assumption>(assumptions)

/** Errors and assumptions by section. `general` contains the rest. */
function partsBySection(root: string): Map<string, Part> {
  const declarations = declarationsBySection(root)
  const parts = new Map<string, Part>()
  for (const [section, declaration] of [...declarations].sort(([a], [b]) => byNumber(a, b))) {
    const isNamed = (name: string) => new RegExp(`'${name}'|\\b(errors|questions)\\.${name}\\b`).test(declaration)
    parts.set(section, {
      numbers: errorRows.flatMap(({ name, code, section: its }) =>
        typeof code === 'number' && (its === section || (code >= FIRST_NUMBER_OF_A_RESOURCE && isNamed(name)))
          ? code
          : [],
      ),
      names: rows.flatMap(([name, { section: its }]) => (its === section || isNamed(name) ? name : [])),
    })
  }
  const all = [...parts.values()]
  const known = new Set<unknown>(all.flatMap(({ numbers, names }) => [...numbers, ...names]))
  return parts.set(GENERAL, {
    numbers: errorRows.flatMap(({ code }) => (typeof code === 'number' && !known.has(code) ? code : [])),
    names: rows.flatMap(([name]) => (known.has(name) ? [] : name)),
  })
}

/** Source text by section. */
function declarationsBySection(root: string): Map<string, string> {
  const folder = join(root, 'src/ngrok/resources')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8'))
  /** A declaration with its base. */
  const whole = (text: string) => {
    const [, base] = /^ {2}\.\.\.(?!ownToken)(\w+),$/m.exec(text) ?? []
    return text + (texts.find(each => each.includes(`export const ${base} = {`)) ?? '')
  }
  const found = new Map<string, string>()
  for (const { name, section, ...rest } of [...collections, ...entryLists, ...modules]) {
    const mark = 'of' in rest && !('by' in rest) ? `key: '${rest.of.key}'` : `name: '${name}'`
    const text = whole(texts.find(each => each.includes(mark)) ?? '')
    found.set(section, (found.get(section) ?? '') + text)
  }
  return found
}

const notesOf = ({ numbers, names }: Part, up = '../') =>
  [
    numbers.length > 0 && `- Errors: ${[...new Set(numbers)].sort((a, b) => a - b).join(', ')}.`,
    names.length > 0 &&
      `- Assumptions: ${names.map(name => `[${code(name)}](${up}assumptions.md#${name})`).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n') || 'No specific errors or assumptions.'

/** Errors and assumptions outside the resource sections. */
export const generalNotes = (root: string) => notesOf(partsBySection(root).get(GENERAL)!, '')

/** Errors by number, then errors without a number by status. */
export function errorTable(): string {
  const rankOf = ({ code, status }: { code: unknown; status: number }) =>
    typeof code === 'number' ? code : 1e6 + status
  const all = errorRows.toSorted((a, b) => rankOf(a) - rankOf(b))
  return table(
    ['Code', 'Status', 'Name', 'Message', 'Section'],
    all.map(({ name, code: number, status, section, message }) => [
      number ?? '–',
      status,
      code(name),
      templateOf(message),
      section,
    ]),
  )
}

/** First sentence of a message, with parameter names. A dash if it only states the expected value. */
function templateOf(message: (params: never) => string): string {
  const params = new Proxy({}, { get: (_, name) => placeholder(`{${String(name)}}`) })
  const [sentence] = /^.*?\.(?= |$)/.exec(message(params as never)) ?? ['.']
  return sentence.includes('{expected}') ? '–' : sentence.slice(0, -1).replace(/\{(?!\w+\})/g, '…')
}

/** A parameter that works as a string and as a list. */
const placeholder = (text: string) => Object.assign(new String(text), { join: () => text })

export const gradeList = () =>
  Object.entries({ ...GRADES, assumed: 'no public source is known' })
    .map(([grade, meaning]) => `- **${grade}**: ${meaning}`)
    .join('\n')

/** Every assumption, with what public sources state. */
export function assumptionSections(root: string): string {
  const sections = readSections(root)
  return rows.map(([name, assumption]) => assumptionSection(name as AssumptionName, assumption, sections)).join('\n\n')
}

function assumptionSection(name: AssumptionName, assumption: Assumption, sections: Map<string, Section>): string {
  const { section, question, values, why, evidence = [] } = assumption
  const [value, ...others] = values
  const { ngrok } = valuesInPresets(ngrokAssumptions, name)
  const shown = others.map(other => `${code(other)}${other === ngrok ? ` (${code('--assume ngrok')})` : ''}`)
  const lines = [
    `Default: **${value}**${shown.length > 0 ? '' : ' (fixed)'}. ${why}`,
    ...(shown.length > 0 ? [`Alternatives: ${shown.join(', ')}`] : []),
    ...(evidence.length > 0 ? evidence.map(source => `*${capital(gradeOf(source))}*: ${source.says}`) : ['*Assumed*']),
  ]
  return `### ${code(name)}\n\n${question} (${`[${section}](${sectionAt(sections, section).link})`})\n\n${lines.map(line => `- ${line}`).join('\n')}`
}
