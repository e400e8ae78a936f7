import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'

const document = readFileSync(join(root, 'docs/reliability.md'), 'utf8')
const rows = document
  .split('\n')
  .filter(line => /^\| \d+ \|/.test(line))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, number, threat, defence, where, test]) => ({ number: Number(number), threat, defence, where, test }))
const filesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, file]) => file!)

describe('Every threat of docs/reliability.md', () => {
  it('is there, 29 of them in their order', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 29 }, (_, i) => i + 1))
    for (const { threat, defence } of rows)
      for (const cell of [threat, defence]) expect(cell!.length).toBeGreaterThan(5)
  })

  it.each(rows)('$number has its defence in the code, and a test that tries it', ({ where, test }) => {
    const [sources, tests] = [filesIn(where), filesIn(test)]
    expect(sources.length).toBeGreaterThan(0)
    expect(tests.length).toBeGreaterThan(0)
    for (const file of [...sources, ...tests]) expect(existsSync(join(root, file)), file).toBe(true)
    for (const file of tests) {
      expect(file).toMatch(/^test\/.*\.test\.ts$/)
      expect(readFileSync(join(root, file), 'utf8')).toMatch(/^ *it(\.\w+\(.*\))?\(/m)
    }
  })

  it('names every test there is of them', () => {
    const named = new Set(rows.flatMap(({ test }) => filesIn(test)))
    const hostile = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .map(name => `test/${name.replaceAll('\\', '/')}`)
      .filter(name => name.includes('.hostile.') && !name.includes('node_modules'))
    expect(hostile.length).toBeGreaterThan(20)
    expect(hostile.filter(name => !named.has(name))).toEqual([])
  })
})
