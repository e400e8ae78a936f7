import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { root } from '../support/afterwards.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

type Words = [write: string, pattern: RegExp][]
const lists: Record<'error' | 'warn', [string, string][]> = parse(read('test/contract/words.yaml'))
const compile = (list: [string, string][]): Words => list.map(([write, pattern]) => [write, new RegExp(pattern, 'gi')])
const words = { error: compile(lists.error), warn: compile(lists.warn) }

const filesIn = (directory: string, ending: RegExp) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .map(name => `${directory}/${name.replaceAll('\\', '/')}`)
    .filter(name => ending.test(name))

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesIn('docs', /\.md$/)]
const sources = filesIn('src', /\.tsx?$/)

const withoutCode = (text: string) => text.replace(/`[^`]*`/g, '`x`')

/** The paragraphs, items, headings and rows of a document, each on one line, without code, comments and targets of links. */
function paragraphsOf(markdown: string): string[] {
  return markdown
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:#|\||[-*] |\d+\. ))|(?<=^#.*)\n/m)
    .map(paragraph => withoutCode(paragraph.trim().replace(/\s+/g, ' ')))
}

/** The strings of a source that have a space: those that people read, and few others. */
function stringsOf(file: string): string[] {
  const found: string[] = []
  const visit = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] }
    if (typeof value === 'string' && (type === 'Literal' || type === 'JSXText')) found.push(value)
    if (quasis) found.push(quasis.map(({ value }) => value.cooked).join('X'))
    Object.values(node).forEach(visit)
  }
  visit(parseSync(file, read(file)).program.body)
  return found.map(text => withoutCode(text.trim().replace(/\s+/g, ' '))).filter(text => text.includes(' '))
}

/** What each file has of these words, with the words around them. */
function hitsOf(list: Words): Map<string, string[]> {
  const texts = new Map([
    ...documents.map(file => [file, paragraphsOf(read(file))] as const),
    ...sources.map(file => [file, stringsOf(file)] as const),
  ])
  const hits = Array.from(texts, ([file, parts]): [string, string[]] => [
    file,
    parts.flatMap(text =>
      list.flatMap(([write, pattern]) =>
        Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => {
          const around = text.slice(Math.max(0, index - 30), index + length + 30)
          return `"${around}": write ${write}`
        }),
      ),
    ),
  ])
  return new Map(hits.filter(([, found]) => found.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)))
}

it('Documents and messages are in plain words (test/contract/words.yaml)', () => {
  expect(paragraphsOf(read('README.md')).length + stringsOf('src/options/options.ts').length).toBeGreaterThan(50)
  expect(Object.fromEntries(hitsOf(words.error))).toEqual({})
})

it('No file has more words that are seldom right than before (if it has fewer: npm run generate)', async () => {
  const stored: Record<string, number> = parse(read('test/contract/words-left.yaml'))
  const hits = [...hitsOf(words.warn)]
  expect(Object.fromEntries(hits.filter(([file, { length }]) => length > (stored[file] ?? 0)))).toEqual({})
  const left = stringify(Object.fromEntries(hits.map(([file, { length }]) => [file, length])))
  await expect(left).toMatchFileSnapshot(join(root, 'test/contract/words-left.yaml'))
})
