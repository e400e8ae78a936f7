import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../support/afterwards.ts'

const read = (file: string) => parse(readFileSync(join(root, '.github', file), 'utf8'))
type Field = { type: string; id?: string; attributes: { label?: string }; validations?: { required?: boolean } }

it.each(
  readdirSync(join(root, '.github/ISSUE_TEMPLATE')),
)('The issue form %s has the fields that GitHub requires', file => {
  const { name, description, body } = read(`ISSUE_TEMPLATE/${file}`)
  expect([typeof name, typeof description]).toEqual(['string', 'string'])
  const inputs = (body as Field[]).filter(({ type }) => type !== 'markdown')
  for (const { type, attributes } of inputs) expect([type, typeof attributes.label]).toEqual(['textarea', 'string'])
  expect(new Set(inputs.map(({ id }) => id)).size).toBe(inputs.length)
  const required = inputs.filter(({ validations }) => validations?.required).map(({ id }) => id)
  expect(required).toEqual(file === 'bug.yml' ? ['problem', 'smoke'] : ['source', 'request', 'response', 'simulated'])
})

describe('The dependency updates', () => {
  const { updates } = read('dependabot.yml')

  it('come weekly, in one group per ecosystem', () => {
    const weekly = { schedule: { interval: 'weekly' } }
    const ecosystems = ['npm', 'github-actions'].map(name => ({ 'package-ecosystem': name, ...weekly }))
    expect(updates).toMatchObject(ecosystems)
    for (const { groups } of updates) expect(Object.values(groups)).toEqual([{ patterns: ['*'] }])
  })

  it('include every package with a lockfile', () => {
    const folders = ['', ...readdirSync(join(root, 'test')).map(name => `test/${name}`)]
    const locked = folders.filter(folder => existsSync(join(root, folder, 'package-lock.json')))
    expect(updates[0].directories).toEqual(locked.map(folder => `/${folder}`))
  })
})
