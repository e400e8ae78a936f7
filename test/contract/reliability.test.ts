import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** A test that a row names: `` `file` "title" ``, with … for what differs between its cases. */
interface Named {
  file: string
  title: string
}

const rows = read('docs/contributing/reliability.md')
  .split('\n')
  .filter(line => /^\| \d+ \|/.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, number, threat, defence, where = '', tests = '']) => ({
    number: Number(number),
    threat,
    defence,
    sources: [...where.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
    tests: [...tests.matchAll(/`([^`]+)` "([^"]+)"/g)].map(
      ([, file, title]): Named => ({ file: file!, title: title! }),
    ),
    cell: tests,
  }))

const TITLE = /\(\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:async |\(|\w+ =>|\{)/g

/** The titles of the tests of a file, read from its source: `describe > it`, with … for what differs between cases. */
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

describe('The threats of docs/contributing/reliability.md', () => {
  it('are numbered in order, each with its defence', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: rows.length }, (_, i) => i + 1))
    for (const { threat, defence } of rows)
      for (const cell of [threat, defence]) expect(cell!.length).toBeGreaterThan(5)
  })

  it.each(rows)('have their defence in the code, and a test of that title: $number', ({ sources, tests, cell }) => {
    expect(sources.filter(file => !existsSync(join(root, file)))).toEqual([])
    expect(sources).not.toHaveLength(0)
    expect(cell).toBe(tests.map(({ file, title }) => `\`${file}\` "${title}"`).join(', '))
    expect(tests).not.toHaveLength(0)
    for (const { file, title } of tests) expect(titlesIn(file), file).toContain(title)
  })

  it('name every file of hostile tests', () => {
    const named = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))
    const hostile = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .map(name => `test/${name.replaceAll('\\', '/')}`)
      .filter(name => name.includes('.hostile.') && !name.includes('node_modules'))
    expect(hostile.length).toBeGreaterThan(20)
    expect(hostile.filter(name => !named.has(name))).toEqual([])
  })
})
