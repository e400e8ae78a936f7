import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/afterwards.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The threat table: number, threat, defence, source files. */
const rows = read('docs/contributing/reliability.md')
  .split('\n')
  .filter(line => /^\| \d+ \|/.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, number, threat = '', defence = '', sources = '']) => ({
    number: Number(number),
    threat,
    defence,
    sources: [...sources.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
  }))

/** Tests by threat number: `file "title"`. In a title, … replaces the parts that differ between cases. */
const testsByThreat: Record<string, string[]> = parse(read('test/contract/reliability.yaml'))

function parseTest(test: string): { file: string; title: string } {
  const [, file, title] = /^(\S+) "(.+)"$/.exec(test) ?? []
  if (!file || !title) throw new Error(`test/contract/reliability.yaml: expected file "title", got ${test}`)
  return { file, title }
}

const TITLE = /\(\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:async |\(|\w+ =>|\{)/g

/** The test titles in a file, from its source: `describe > it`. */
function titlesIn(file: string): string[] {
  const groups = read(file)
    .split(/^(?=describe\b|it\b)/m)
    .slice(1)
  return groups.flatMap(text => {
    const [first, ...inner] = [...text.matchAll(TITLE)].map(([, , title]) =>
      title!.replace(/%[a-z]|\$\{[^}]*\}|\$\w+/g, '…'),
    )
    return text.startsWith('it') ? [first!] : inner.map(title => `${first} > ${title}`)
  })
}

describe('The threats in docs/contributing/reliability.md', () => {
  it('are numbered in order, each with a defence', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: rows.length }, (_, i) => i + 1))
    for (const { threat, defence } of rows) for (const cell of [threat, defence]) expect(cell.length).toBeGreaterThan(5)
  })

  it('are the threats in test/contract/reliability.yaml', () => {
    expect(Object.keys(testsByThreat).map(Number)).toEqual(rows.map(({ number }) => number))
  })

  it.each(rows)('have source files, and tests with these titles: $number', ({ number, sources }) => {
    expect(sources.filter(file => !existsSync(join(root, file)))).toEqual([])
    expect(sources).not.toHaveLength(0)
    const tests = testsByThreat[number]!.map(parseTest)
    expect(tests).not.toHaveLength(0)
    for (const { file, title } of tests) expect(titlesIn(file), file).toContain(title)
  })

  it('cover every file of hostile tests', () => {
    const named = new Set(Object.values(testsByThreat).flatMap(tests => tests.map(test => parseTest(test).file)))
    const hostile = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .map(name => `test/${name.replaceAll('\\', '/')}`)
      .filter(name => name.includes('.hostile.') && !name.includes('node_modules'))
    expect(hostile.length).toBeGreaterThan(20)
    expect(hostile.filter(name => !named.has(name))).toEqual([])
  })
})
