// Prints what reviewers may want to read again: long files, and words that plain English seldom needs. Never fails.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { parse } from 'yaml'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const LONG = 250

const read = file => readFileSync(join(root, file), 'utf8')

const filesIn = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`.replace('./', ''))
    .filter(name => ending.test(name))

const onOneLine = text =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/`[^`]*`/g, '`x`')

/** The paragraphs, items, headings and rows of a document, without code, comments and link targets. */
const paragraphsOf = markdown =>
  markdown
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:#|\||[-*] |\d+\. ))|(?<=^#.*)\n/m)
    .map(onOneLine)

/** The strings with a space in any tree, as people read them. */
function stringsIn(node) {
  if (typeof node === 'string') return node.includes(' ') ? [onOneLine(node)] : []
  if (typeof node !== 'object' || node === null) return []
  const { type, value, quasis } = node
  if (type === 'Literal' || type === 'JSXText') return stringsIn(value)
  const joined = quasis ? stringsIn(quasis.map(each => each.value.cooked).join('X')) : []
  return [...joined, ...Object.entries(node).flatMap(([key, each]) => (key === 'quasis' ? [] : stringsIn(each)))]
}

const documents = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  'examples/README.md',
  ...filesIn('docs', /\.md$/),
]
const code = [...filesIn('src', /\.tsx?$/), ...filesIn('scripts', /\.[jt]s$/), ...filesIn('packaging', /\.js$/)]
  // What a generated file says comes from a file that is read itself.
  .filter(file => !read(file).startsWith('// Generated '))
const yaml = [
  ...filesIn('scenarios', /\.yaml$/),
  ...filesIn('.github/ISSUE_TEMPLATE', /\.yml$/),
  'packaging/action/action.yml',
]
const texts = [
  ...documents.map(file => [file, paragraphsOf(read(file))]),
  ...code.map(file => [file, stringsIn(parseSync(file, read(file)).program.body)]),
  ...yaml.map(file => [file, stringsIn(parse(read(file)))]),
]

const words = Object.values(parse(read('scripts/style-words.yaml'))).flat()
let count = 0
for (const [file, parts] of texts)
  for (const text of parts)
    for (const [write, pattern] of words)
      for (const { 0: found, index } of text.matchAll(new RegExp(pattern, 'gi'))) {
        count++
        const around = text.slice(Math.max(0, index - 30), index + found.length + 30)
        console.log(`${file}: "${around}". Better: ${write}`)
      }
const long = code.filter(file => file.startsWith('src/')).map(file => [file, read(file).split('\n').length - 1])
for (const [file, lines] of long.filter(([, lines]) => lines > LONG)) console.log(`${file}: ${lines} lines`)
console.log(`${count} wordings and ${long.filter(([, lines]) => lines > LONG).length} long files to read again.`)
