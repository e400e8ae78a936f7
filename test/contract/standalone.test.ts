import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/cli.ts'

/** Documents that are not in the repository, and paths of one machine. */
const OUTSIDE = [/\.\.\/shared/, /\bSPEC\.md\b/, /\bDESIGN\.md\b/, /(?<![\w.:/-])\/(work|root)\//]
const NOT_OURS = ['.git', 'node_modules', 'dist', 'test-results']
const SYSTEMS = ['linux', 'darwin', 'win32']

const files = readdirSync(root)
  .filter(name => !NOT_OURS.includes(name))
  .flatMap(name =>
    statSync(join(root, name)).isDirectory()
      ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map(file => join(name, file))
      : [name],
  )
  .filter(file => !NOT_OURS.some(name => file.split(sep).includes(name)) && statSync(join(root, file)).isFile())

const packagesIn = (lock: string) =>
  Object.entries<{ resolved?: string; os?: string[] }>(JSON.parse(readFileSync(join(root, lock), 'utf8')).packages)
const locked = packagesIn('package-lock.json')

describe('The repository', () => {
  it('refers to nothing outside itself', () => {
    const found = files.flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8')
      return OUTSIDE.flatMap(pattern => (pattern.test(text) ? [`${file}: ${pattern}`] : []))
    })
    expect(found).toEqual([])
  })

  it.each(['package-lock.json', 'test/mutation/package-lock.json'])('names no registry in %s', lock => {
    expect(
      packagesIn(lock)
        .filter(([, { resolved }]) => resolved?.includes('://'))
        .map(([path]) => path),
    ).toEqual([])
  })

  it.each([
    '@biomejs/cli',
    '@rolldown/binding',
    '@typescript/typescript',
    'lightningcss',
  ])('locks the binaries of %s for Linux, macOS and Windows', name => {
    const binaries = locked.filter(([path]) => path.startsWith(`node_modules/${name}-`))
    const systems = new Set(binaries.flatMap(([, { os }]) => os ?? []))
    expect(SYSTEMS.filter(system => !systems.has(system))).toEqual([])
  })
})
