import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Assumption, assumptions } from '../src/contract/assumptions.ts'
import { errors } from '../src/contract/errors.ts'
import { GRADES } from '../src/contract/evidence.ts'
import { collections, modules } from '../src/resources/index.ts'
import { table } from './generate-docs.ts'
import { readRecorded } from './record.ts'

/** Smaller numbers can be the answer to any call. */
const FIRST_NUMBER_OF_A_RESOURCE = 300

/** A part of the API: what has its section, or is named in its declaration, belongs to it. */
interface Part {
  sections: string[]
  label: string
  shape: string
  declaration: string
}

const rows = Object.entries<Assumption>(assumptions)
const gradeOf = ({ evidence }: Assumption) => evidence?.[0]?.grade ?? 'assumed'
const meanings = { ...GRADES, assumed: 'no public source is known' }
const grades = Object.entries(meanings).filter(([grade]) => rows.some(([, row]) => gradeOf(row) === grade))

/** What the grades mean, of those that assumptions have. */
export const gradeList = () => grades.map(([grade, meaning]) => `- **${grade}**: ${meaning}.`).join('\n')

/** For every resource and kind of module: where its shape comes from, its documented errors, and how its behaviour is known. */
export function knownTable(root: string): string {
  const parts = partsOf(root).map(part => ({ ...part, numbers: numbersOf(part), names: namesOf(part) }))
  const numbers = new Set(parts.flatMap(part => part.numbers))
  const names = new Set(parts.flatMap(part => part.names))
  const rest = {
    sections: ['2 to 9'],
    label: 'every call',
    shape: '–',
    numbers: Object.values(errors).flatMap(({ code }) => (typeof code !== 'number' || numbers.has(code) ? [] : code)),
    names: rows.map(([name]) => name).filter(name => !names.has(name)),
  }
  return table(
    ['section', 'what', 'its shape is in', 'documented errors', 'its behaviour'],
    [rest, ...parts].map(({ sections, label, shape, numbers, names }) => [
      sections[0],
      label,
      shape,
      [...new Set(numbers)].sort((a, b) => a - b).join(', ') || '–',
      behaviour(names) || '–',
    ]),
  )
}

/** The assumptions by their grade; those that edgesim answers otherwise are marked. */
const behaviour = (names: string[]) =>
  grades
    .map(([grade]) => ({ grade, of: rows.filter(([name, row]) => names.includes(name) && gradeOf(row) === grade) }))
    .filter(({ of }) => of.length > 0)
    .map(
      ({ grade, of }) =>
        `${grade}: ${of.map(([name, row]) => `\`${name}\`${isOtherwise(row) ? ' ≠' : ''}`).join(', ')}`,
    )
    .join('<br>')

const isOtherwise = ({ evidence, values }: Assumption) => ![undefined, values[0]].includes(evidence?.[0]?.value)

const belongs = ({ sections, declaration }: Part, name: string, section: string) =>
  sections.includes(section) || declaration.includes(`'${name}'`)

const numbersOf = (part: Part) =>
  Object.entries(errors).flatMap(([name, { code, section }]) =>
    typeof code === 'number' && code >= FIRST_NUMBER_OF_A_RESOURCE && belongs(part, name, section) ? code : [],
  )

const namesOf = (part: Part) => rows.flatMap(([name, { section }]) => (belongs(part, name, section) ? name : []))

/** The resources and modules by section, in the order of the sections. */
function partsOf(root: string): Part[] {
  const folder = join(root, 'src/resources')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8'))
  /** A declaration, with the one that it extends if it does. */
  const whole = (text: string) => {
    const [, base] = /^ {2}\.\.\.(\w+),$/m.exec(text) ?? []
    return text + (texts.find(each => each.includes(`export const ${base} = {`)) ?? '')
  }
  const parts: Part[] = [{ sections: ['10', '10.8'], label: 'all that follow', shape: '–', declaration: '' }]
  for (const { name, label, section, neighbour, ...part } of [...collections, ...modules]) {
    const shape = neighbour ? sourcesOf(part) : "the API's document"
    const declaration = whole(texts.find(text => text.includes(`name: '${name}'`)) ?? '')
    const same = parts.find(({ sections }) => sections[0] === section)
    if (!same) parts.push({ sections: [section], label, shape, declaration })
    else if (!same.label.split(', ').includes(label))
      Object.assign(same, { label: `${same.label}, ${label}`, declaration: same.declaration + declaration })
  }
  return parts.sort((a, b) => placeOf(a) - placeOf(b))
}

/** Of some resources no request with an id was published; modules are published with theirs. */
const sourcesOf = ({ prefix }: { prefix?: string; fields: object }) =>
  prefix === undefined || recorded.includes(`{${prefix}}`) ? 'OpenAPI, published answers' : 'OpenAPI'
const recorded = JSON.stringify(readRecorded())

const placeOf = ({ sections: [section] }: Part) =>
  section!.split('.').reduce((sum, digits, i) => sum + Number(digits) / 100 ** i, 0)
