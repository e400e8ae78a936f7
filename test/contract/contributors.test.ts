import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/afterwards.ts'

interface Field {
  type: string
  id?: string
  attributes: { label?: string; value?: string; description?: string }
  validations?: { required?: boolean }
}

const FORMS = join(root, '.github/ISSUE_TEMPLATE')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts } = JSON.parse(read('package.json'))

const forms = readdirSync(FORMS).map(file => ({ file, ...parse(readFileSync(join(FORMS, file), 'utf8')) }))
const required = (file: string) =>
  (forms.find(form => form.file === file)!.body as Field[])
    .filter(({ validations }) => validations?.required)
    .map(({ id }) => id)

describe('The issue forms', () => {
  it.each(forms)('$file has the fields that GitHub requires', ({ name, description, body }) => {
    expect([typeof name, typeof description]).toEqual(['string', 'string'])
    const inputs = (body as Field[]).filter(({ type }) => type !== 'markdown')
    expect(inputs.map(({ type, attributes }) => [type, typeof attributes.label])).toEqual(
      inputs.map(() => ['textarea', 'string']),
    )
    expect(new Set(inputs.map(({ id }) => id)).size).toBe(inputs.length)
  })

  it('require the smoke test for a bug, and source, request and response for a difference', () => {
    expect(required('bug.yml')).toEqual(['problem', 'smoke'])
    expect(required('real-api.yml')).toEqual(['source', 'request', 'response', 'simulated'])
  })

  it('name only existing scripts', () => {
    const named = forms.flatMap(form => JSON.stringify(form).match(/(?<=npm run )[\w:]+/g) ?? [])
    expect(named).toContain('test:smoke')
    expect(named.filter(name => !(name in scripts))).toEqual([])
  })
})

describe('The dependency updates', () => {
  const updates: { 'package-ecosystem': string; schedule: object; groups: object; directories?: string[] }[] = parse(
    read('.github/dependabot.yml'),
  ).updates

  it('come weekly, in one group per ecosystem', () => {
    expect(updates.map(each => each['package-ecosystem'])).toEqual(['npm', 'github-actions'])
    for (const { schedule, groups } of updates) {
      expect(schedule).toEqual({ interval: 'weekly' })
      expect(Object.values(groups)).toEqual([{ patterns: ['*'] }])
    }
  })

  it('include every package with a lockfile', () => {
    const folders = ['', ...readdirSync(join(root, 'test')).map(name => `test/${name}`)]
    const locked = folders.filter(folder => existsSync(join(root, folder, 'package-lock.json')))
    expect(updates[0]!.directories).toEqual(locked.map(folder => `/${folder}`))
  })
})
