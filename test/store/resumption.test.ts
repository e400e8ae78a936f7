import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prettyLog } from '../../src/cli/log/pretty-log.ts'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { folderWith } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'
import { newDb } from './support.ts'

const fixture = (...names: string[]) => ({
  users: [{ id: 'usr_a', admin: true }],
  api_keys: names.map(name => ({ id: `ak_${name}`, owner_id: 'usr_a', token: `token_${name}` })),
})

/** What a simulate says of its database. */
async function startOn(options: SimulatorOptions) {
  const { database, call, close } = await simulate(options)
  await call('POST', '/_sim/db/users', {})
  await close()
  return database
}

describe('A database says at the start', () => {
  it('that it was created, and then that it was resumed, from what and when', async () => {
    const db = newDb()
    expect(await startOn({ db })).toBe(`${db}, created from the fixture default with 28 records`)
    expect(await startOn({ db })).toMatch(
      /, resumed with 29 records, last written 20\S+Z, created from the fixture default$/,
    )
  })

  it('that a fixture which has changed has no effect, until --fresh', async () => {
    const db = newDb()
    const file = join(folderWith(), 'mine.json')
    const give = (...names: string[]) => writeFileSync(file, JSON.stringify(fixture(...names)))
    give('one')
    await startOn({ db, fixture: file })
    expect(await startOn({ db, fixture: file })).not.toContain('--fresh')
    give('one', 'two')
    expect(await startOn({ db, fixture: file })).toMatch(
      /mine\.json\. It has changed since, which has no effect until --fresh$/,
    )
    expect(await startOn({ db, fixture: 'empty' })).toMatch(
      /mine\.json\. The fixture empty has no effect until --fresh$/,
    )
    expect(await startOn({ db, fixture: file, fresh: true })).toMatch(
      /created from the fixture .*mine\.json with 3 records$/,
    )
  })

  it('nothing without one', async () => {
    expect(await startOn({})).toBeUndefined()
  })
})

it('The greeting shows ten tokens, and how many more there are', async () => {
  const names = Array.from({ length: 13 }, (_, i) => `n${i}`)
  const simulator = await simulate({ db: newDb(), fixture: fixture(...names) })
  let text = ''
  const write = (line: string) => {
    text += line
  }
  prettyLog({ isTTY: false, write } as never, {}).ready(simulator, {
    fixture: 'inline',
    scenario: null,
    vendor: 'service',
  })
  expect(text.match(/token_n\d+ \(/g)).toHaveLength(10)
  expect(text).toContain(', and 3 more')
  expect(text).toMatch(/^database: .*, created from the fixture inline with 14 records$/m)
})
