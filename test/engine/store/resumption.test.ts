import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import { folderWith } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'
import { newDb } from './support.ts'

const fixture = (...names: string[]) => ({
  users: [{ id: 'usr_a', admin: true }],
  api_keys: names.map(name => ({ id: `ak_${name}`, owner_id: 'usr_a', token: `token_${name}` })),
})

async function startOn(options: SimulatorOptions) {
  const { database, call, close } = await simulate(options)
  await call('POST', '/_sim/db/users', {})
  await close()
  return database
}

describe('The line about the database at startup', () => {
  it('shows if it was created or resumed, from which fixture and when', async () => {
    const db = newDb()
    expect(await startOn({ db, fixture: 'empty' })).toBe(`${db}, created from the fixture empty with 2 records`)
    expect(await startOn({ db, fixture: 'empty' })).toMatch(
      /, resumed with 3 records, last written 20\S+Z, created from the fixture empty$/,
    )
  })

  it('warns that a changed fixture has no effect without --fresh', async () => {
    const db = newDb()
    const file = join(folderWith(), 'mine.json')
    const give = (...names: string[]) => writeFileSync(file, JSON.stringify(fixture(...names)))
    give('one')
    await startOn({ db, fixture: file })
    expect(await startOn({ db, fixture: file })).not.toContain('--fresh')
    give('one', 'two')
    expect(await startOn({ db, fixture: file })).toMatch(
      /mine\.json\. The fixture has changed since then\. To apply it, use --fresh$/,
    )
    expect(await startOn({ db, fixture: 'empty' })).toMatch(
      /mine\.json\. The fixture is now empty\. To apply it, use --fresh$/,
    )
    expect(await startOn({ db, fixture: file, fresh: true })).toMatch(
      /created from the fixture .*mine\.json with 3 records$/,
    )
  })

  it('is missing without --db', async () => {
    expect(await startOn({})).toBeUndefined()
  })
})
