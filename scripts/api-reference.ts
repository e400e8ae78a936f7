import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anyOf, pluralOf } from '../src/basics/text.ts'
import { type Assumption, type AssumptionName, assumptions, valuesInSets } from '../src/contract/assumptions.ts'
import { type ErrorName, errors } from '../src/contract/errors.ts'
import { GRADES, gradeOf } from '../src/contract/evidence.ts'
import { collections, entryLists, kindOf, modules, operations, partsOf } from '../src/resources/index.ts'
import {
  acceptsInput,
  type Collection,
  type Entries,
  type Field,
  type Fields,
  isShownAsRef,
  type Module,
  type Operation,
  unsetOf,
} from '../src/schema/index.ts'
import { table } from './generate-docs.ts'

/** The API reference: docs/api.md, and a page for each folder of src/resources. */

type Json = Record<string, unknown>
type Resource = Collection | Module | Entries

const code = (text: unknown) => `\`${text}\``
const codes = (texts: readonly unknown[]) => texts.map(code).join(', ')
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

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
      const anchor = heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')
      sections.set(number!, { title: title!, link: `${page}#${anchor}` })
    }
  return sections
}

/** A link to a section, from a document in docs. */
function linkToSection(sections: Map<string, Section>, number: string): string {
  const section = sections.get(number)
  if (!section) throw new Error(`No page has a section ${number}.`)
  return `[${number}](${section.link})`
}

const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** The sections of all resources. The dashboard links to their anchors. */
export function resourceTable(root: string): string {
  const sections = readSections(root)
  const numbers = [...new Set(operations.map(({ section }) => section))].sort(byNumber)
  return table(
    ['Section', 'Resource', 'Paths', 'Operations'],
    numbers.map(number => {
      const { title, link } = sections.get(number) ?? {}
      if (!link) throw new Error(`No page has a section ${number}.`)
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
    return variants.length > 1 ? `${upperFirst(anyOf(holders))}:\n\n${rows}` : rows
  })
  return [paths, ...tables].join('\n\n')
}

const operationsOf = (resource: Resource) => operations.filter(each => each.resource === resource)
const pathTo = (resource: Resource) => operationsOf(resource)[0]!.path
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

/** A row of a field table. */
type FieldRow = [names: string, type: string, description: string]

function fieldTable(resource: Resource): string {
  const { shownOnce = [], alwaysNull = [], stored = {}, createdAs, table: own } = resource as Partial<Collection>
  const parts = own ? partsOf(own).filter(({ partOf }) => partOf?.shown) : []
  const inPath = Object.keys(resource.fields).filter(name => pathTo(resource).includes(`{${name}}`))
  const isModule = (name: string) => modules.some(({ of }) => of.table === own && of.key === name)
  const fields = Object.fromEntries(Object.entries(resource.fields as Fields).filter(([name]) => !isModule(name)))
  const ownModules = Object.keys(resource.fields).filter(isModule)
  const rows: FieldRow[] = [
    ...(createdAs ? [[code(createdAs), 'time, read-only', 'Instead of `created_at`'] as FieldRow] : []),
    ...rowsOf(fields, { resource, inPath, at: '', seen: new Map() }),
    ...(ownModules.length > 0 ? [[codes(ownModules), 'object', 'Modules, null if unset'] as FieldRow] : []),
    ...shownOnce.map(
      (name): FieldRow => [code(name), 'string or null, read-only', 'Only in the create response, then null'],
    ),
    ...parts.map(
      ({ partOf, label }): FieldRow => [code(partOf!.list), 'list of objects, read-only', upperFirst(pluralOf(label))],
    ),
    ...(alwaysNull.length > 0 ? [[codes(alwaysNull), 'null', 'Always null'] as FieldRow] : []),
    ...rowsOf(stored, { resource, inPath, at: '', seen: new Map(), isFixture: true }),
  ]
  return table(['Field', 'Type', 'Description'], withoutRepetition(rows))
}

/** Joins neighbouring rows that differ only in their names. */
function withoutRepetition(rows: FieldRow[]): FieldRow[] {
  const joined: FieldRow[] = []
  for (const [names, type, description] of rows) {
    const last = joined.at(-1)
    if (last?.[1] === type && last[2] === description) last[0] += `, ${names}`
    else joined.push([names, type, description])
  }
  return joined
}

interface Around {
  resource: Resource
  inPath: string[]
  /** The path to the group, with a period at the end. */
  at: string
  /** Where a field was described before. */
  seen: Map<Field, string>
  isReadOnly?: boolean
  isFixture?: true
}

function rowsOf(fields: Fields, around: Around): FieldRow[] {
  const { at, seen } = around
  const { description, metadata } = fields
  const rows: FieldRow[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (name === 'description' && metadata && at === '') {
      const limits = [description!, metadata].map(each => limitsOf(each)[0]!.replace('up to ', ''))
      rows.push([codes(['description', 'metadata']), 'string', `Up to ${limits.join(' and ')}`])
      continue
    }
    if (name === 'metadata' && description && at === '') continue
    const place = `${at}${name}`
    const twins = Object.keys(fields).filter(each => fields[each] === field)
    if (twins[0] !== name) continue
    const inner = field.group && Object.values(field.group)
    const known = inner?.every(each => seen.has(each)) ? seen.get(inner[0]!)!.replace(/\.[^.]*$/, '') : undefined
    const like = known && `Fields as in ${code(known)}: ${codes(Object.keys(field.group!))}`
    const facts = [field.describe, ...[...describe(name, field, around), like ?? ''].map(upperFirst)].filter(Boolean)
    const type = [typeOf(field), ...flagsOf(name, field, around)].join(', ')
    if (facts.length > 0 || type !== 'object')
      rows.push([codes(twins.map(each => `${at}${each}`)), type, facts.join('. ') || '–'])
    seen.set(field, place)
    if (field.group && !known)
      rows.push(
        ...rowsOf(field.group, { ...around, at: `${place}.`, isReadOnly: around.isReadOnly || !acceptsInput(field) }),
      )
  }
  return rows
}

function typeOf(field: Field): string {
  const { shape, refersTo } = field
  const isList = shape.json.type === 'array'
  if (refersTo && !acceptsInput(field)) return isList ? 'list of references' : 'reference'
  return innerOf(field).join() === 'id,uri' ? 'reference' : typeOfJson(shape.json)
}

/** Fields of an object without a group. */
const innerOf = ({ group, shape }: Field) =>
  group ? [] : Object.keys((shape.json.properties as Json | undefined) ?? {})

function typeOfJson({ type, format, items, additionalProperties, properties }: Json): string {
  if (format === 'date-time') return 'time'
  if (type === 'array') return `list of ${pluralOf(typeOfJson(items as Json))}`
  if (type === 'object' && typeof additionalProperties === 'object' && !properties)
    return `map of ${pluralOf(typeOfJson(additionalProperties as Json))}`
  return String(type)
}

function flagsOf(name: string, field: Field, { resource, inPath, at, isReadOnly, isFixture }: Around): string[] {
  const has = (kind: string) => operationsOf(resource).some(each => each.kind.startsWith(kind))
  const { required, unlessGiven, createOnly, writeOnly, notShown } = field
  if (isFixture) return ['fixtures only']
  if (isReadOnly || (inPath.includes(name) && at === '')) return ['read-only']
  const isWritten = has('create') || has('replace')
  if (!acceptsInput(field) || !isWritten) return isWritten ? ['read-only'] : []
  const unless = unlessGiven ? ` unless ${code(unlessGiven)} is set` : ''
  return [
    ...(required ? [`required${unless}${inBrackets(required)}`] : []),
    ...(createOnly && has('update') ? ['create only'] : []),
    ...(writeOnly || notShown ? ['write-only'] : []),
  ]
}

/** Facts about a field from its declaration, in fragments. */
function describe(name: string, field: Field, { resource, isFixture }: Around): string[] {
  const { refersTo, shownAs, default: fallback, group, oneOf, notEmpty, document, patterns } = field
  const { unique, partOf } = resource as Partial<Collection>
  const isList = field.shape.json.type === 'array'
  const unset = isFixture || field.writeOnly || field.notShown || field.omittedWhenEmpty ? undefined : unsetOf(field)
  const facts = [
    ...enumOf(field),
    typeOf(field) === 'object' && innerOf(field).length > 0 && `fields: ${codes(innerOf(field))}`,
    refersTo && acceptsInput(field) && referenceOf(refersTo, isList),
    ...limitsOf(field),
    document && `other values are rejected${inBrackets(document)}`,
    patterns && `other values are rejected${inBrackets(patterns.error)}`,
    oneOf && `exactly one field is required${inBrackets(oneOf.none, oneOf.several)}`,
    unique?.field === name && `unique${unique.within ? ` per ${code(unique.within)}` : ''}${inBrackets(unique.error)}`,
    partOf?.distinct?.fields.includes(name) && `unique per ${code(partOf.by)}${inBrackets(partOf.distinct.error)}`,
    notEmpty && `required with ${code(`${notEmpty.under}=reject`)}${inBrackets(notEmpty.error)}`,
    fallback !== undefined && !group && !field.required && `default: ${code(JSON.stringify(fallback))}`,
    shownAs &&
      `returned as ${code(shownAs)}${isShownAsRef(field) ? (isList ? ', a list of references' : ', a reference') : ''}`,
    unset === 'null' && 'null if unset',
    unset === 'omit' && 'omitted if unset',
  ]
  return facts.filter((fact): fact is string => typeof fact === 'string' && fact !== '')
}

const MAX_ENUM_LENGTH = 200

function enumOf({ shape }: Field): string[] {
  const { enum: own, items } = shape.json as { enum?: unknown[]; items?: Json }
  const values = own ?? (items?.enum as unknown[] | undefined)
  const text = anyOf((values ?? []).filter(value => value !== '').map(code))
  if (!values || text.length > MAX_ENUM_LENGTH) return []
  const wrong = typeof values[0] === 'number' ? -1 : '\u0000'
  return [`${text}${inBrackets(errorFor({ shape } as Field, own ? wrong : [wrong]))}`]
}

function referenceOf(
  { tables, missing, malformed, excluded }: NonNullable<Field['refersTo']>,
  isList: boolean,
): string {
  if (tables.length === 0) return ''
  const labels = anyOf(tables.map(table => kindOf(table).label))
  const others = [
    malformed && `${numberOf(malformed.error)} if malformed`,
    excluded && `${numberOf(excluded.error)} for other backends`,
  ]
  const known = [`${numberOf(missing)} if unknown`, ...others.filter(Boolean)].join(', ')
  return `${labels} ${isList ? 'IDs' : 'ID'} (${known})`
}

/** Size limits, each with its error. */
function limitsOf(field: Field): string[] {
  const { maxLength, maxItems, maxProperties, minimum, maximum } = field.shape.json as Record<
    string,
    number | undefined
  >
  const upTo = (limit: number, unit: string, sample: unknown) =>
    `up to ${limit} ${unit}${inBrackets(errorFor(field, sample))}`
  const { examples: [example] = ['x'] } = (field.shape.json.items ?? {}) as { examples?: unknown[] }
  const many = (count: number) => Array.from({ length: count }, (_, i) => i)
  return [
    ...(maxLength === undefined ? [] : [upTo(maxLength, 'bytes', 'x'.repeat(maxLength + 1))]),
    ...(maxItems === undefined
      ? []
      : [
          upTo(
            maxItems,
            'entries',
            many(maxItems + 1).map(() => example),
          ),
        ]),
    ...(maxProperties === undefined
      ? []
      : [upTo(maxProperties, 'entries', Object.fromEntries(many(maxProperties + 1).map(i => [`x${i}`, 'x'])))]),
    ...(minimum === undefined || maximum === undefined ? [] : [rangeOf(field, minimum, maximum)]),
  ]
}

/** The vendor's clients use this type for numbers without a limit. */
const UINT32 = 2 ** 32 - 1

function rangeOf(field: Field, minimum: number, maximum: number): string {
  const numbers = inBrackets(errorFor(field, minimum - 1), maximum < UINT32 ? errorFor(field, maximum + 1) : undefined)
  return maximum < UINT32 ? `${minimum} to ${maximum}${numbers}` : `${minimum} or more${numbers}`
}

/** The declared error for a value. */
const errorFor = ({ shape }: Field, value: unknown) => shape.find(value)?.[0]?.error

const numberOf = (error: ErrorName): unknown => errors[error].code ?? `status ${errors[error].status}`

/** Error numbers. Only docs/api.md lists 215, for any wrong value. */
function inBrackets(...names: (ErrorName | undefined)[]): string {
  const numbers = names.flatMap(name => (name && name !== 'invalid_value' ? [numberOf(name)] : []))
  return numbers.length > 0 ? ` (${[...new Set(numbers)].join(', ')})` : ''
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
    const isNamed = (name: string) => declaration.includes(`'${name}'`)
    parts.set(section, {
      numbers: Object.entries(errors).flatMap(([name, { code, section: its }]) =>
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
    numbers: Object.values(errors).flatMap(({ code }) => (typeof code === 'number' && !known.has(code) ? code : [])),
    names: rows.flatMap(([name]) => (known.has(name) ? [] : name)),
  })
}

/** Source text by section. */
function declarationsBySection(root: string): Map<string, string> {
  const folder = join(root, 'src/resources')
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
  const all = Object.entries(errors).toSorted(([, a], [, b]) => rankOf(a) - rankOf(b))
  return table(
    ['Code', 'Status', 'Name', 'Message', 'Section'],
    all.map(([name, { code: number, status, section, message }]) => [
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
  const { ngrok } = valuesInSets(name)
  const shown = others.map(other => `${code(other)}${other === ngrok ? ` (${code('--assume ngrok')})` : ''}`)
  const lines = [
    `Default: **${value}**${shown.length > 0 ? '' : ' (fixed)'}. ${why}`,
    ...(shown.length > 0 ? [`Alternatives: ${shown.join(', ')}`] : []),
    ...(evidence.length > 0
      ? evidence.map(source => `*${upperFirst(gradeOf(source))}*: ${source.says}`)
      : ['*Assumed*']),
  ]
  return `### ${code(name)}\n\n${question} (${linkToSection(sections, section)})\n\n${lines.map(line => `- ${line}`).join('\n')}`
}
