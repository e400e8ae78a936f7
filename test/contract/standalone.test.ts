import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'

/** Documents outside the repository, and machine paths. */
const OUTSIDE = [/\.\.\/shared/, /\bSPEC\.md\b/, /\bDESIGN\.md\b/, /(?<![\w.:/-])\/(work|root)\//]
const NOT_OURS = ['.git', 'node_modules', 'dist', 'build', 'test-results']

const files = readdirSync(root)
  .filter(name => !NOT_OURS.includes(name))
  .flatMap(name =>
    statSync(join(root, name)).isDirectory()
      ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map(file => join(name, file))
      : [name],
  )
  .filter(file => !NOT_OURS.some(name => file.split(sep).includes(name)) && statSync(join(root, file)).isFile())

describe('The repository', () => {
  it('refers to nothing outside itself', () => {
    const found = files.flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8')
      return OUTSIDE.flatMap(pattern => (pattern.test(text) ? [`${file}: ${pattern}`] : []))
    })
    expect(found).toEqual([])
  })
})
