import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { root } from '../support/afterwards.ts'
import { DOCUMENTS } from '../support/markdown.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

type Words = [write: string, pattern: string][]
const words: Record<'error' | 'warn', Words> = parse(read('test/contract/words.yaml'))

const filesIn = (directory: string, ending: RegExp) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .map(name => `${directory}/${name.replaceAll('\\', '/')}`)
    .filter(name => ending.test(name))

const onOneLine = (text: string) =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/`[^`]*`/g, '`x`')

/** The paragraphs, items, headings and rows of a document, without code, comments and link targets. */
const paragraphsOf = (markdown: string) =>
  markdown
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:#|\||[-*] |\d+\. ))|(?<=^#.*)\n/m)
    .map(onOneLine)

/** The strings with a space in any tree, as people read them. */
function stringsIn(node: unknown): string[] {
  if (typeof node === 'string') return node.includes(' ') ? [onOneLine(node)] : []
  if (typeof node !== 'object' || node === null) return []
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] }
  if (type === 'Literal' || type === 'JSXText') return stringsIn(value)
  const joined = quasis ? stringsIn(quasis.map(each => each.value.cooked).join('X')) : []
  return [...joined, ...Object.entries(node).flatMap(([key, each]) => (key === 'quasis' ? [] : stringsIn(each)))]
}

const texts = new Map<string, string[]>([
  ...DOCUMENTS.map(file => [file, paragraphsOf(read(file))] as const),
  // Strings of a generated file come from a file that is read itself.
  ...[...filesIn('src', /\.tsx?$/), ...filesIn('scripts', /\.[jt]s$/), ...filesIn('packaging', /\.js$/)]
    .filter(file => !read(file).startsWith('// Generated '))
    .map(file => [file, stringsIn(parseSync(file, read(file)).program.body)] as const),
  ...[
    ...filesIn('scenarios', /\.yaml$/),
    ...filesIn('.github/ISSUE_TEMPLATE', /\.yml$/),
    'packaging/action/action.yml',
  ].map(file => [file, stringsIn(parse(read(file)))] as const),
])

/** These words in each file, with the words around them. */
function hitsOf(list: Words): [file: string, hits: string[]][] {
  const find = (text: string) =>
    list.flatMap(([write, pattern]) =>
      Array.from(text.matchAll(new RegExp(pattern, 'gi')), ({ 0: { length }, index }) => {
        const around = text.slice(Math.max(0, index - 30), index + length + 30)
        return `"${around}": write ${write}`
      }),
    )
  return Array.from(texts, ([file, parts]): [string, string[]] => [file, parts.flatMap(find)])
    .filter(([, found]) => found.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

it('Documents and messages are in plain words (test/contract/words.yaml)', () => {
  for (const file of ['README.md', 'src/simulator/options/options.ts', 'scenarios/outage.yaml'])
    expect(texts.get(file)!.length, file).toBeGreaterThan(2)
  expect(Object.fromEntries(hitsOf(words.error))).toEqual({})
})

it('No file has more words that are seldom right than before (if it has fewer: npm run generate)', async () => {
  const stored: Record<string, number> = parse(read('test/contract/words-left.yaml'))
  const hits = hitsOf(words.warn)
  expect(Object.fromEntries(hits.filter(([file, { length }]) => length > (stored[file] ?? 0)))).toEqual({})
  const left = stringify(Object.fromEntries(hits.map(([file, { length }]) => [file, length])))
  await expect(left).toMatchFileSnapshot(join(root, 'test/contract/words-left.yaml'))
})
