import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import { folderWith } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'
import { newDb } from './support.ts'

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
    const give = (...keys: object[]) =>
      writeFileSync(file, JSON.stringify({ users: [{ id: 'usr_a' }], api_keys: keys }))
    give({ id: 'ak_one' })
    await startOn({ db, fixture: file })
    expect(await startOn({ db, fixture: file })).not.toContain('--fresh')
    give({ id: 'ak_one' }, { id: 'ak_two' })
    expect(await startOn({ db, fixture: file })).toMatch(
      /mine\.json\. The fixture has changed since then\. To apply it, use --fresh$/,
    )
    expect(await startOn({ db, fixture: 'empty' })).toMatch(
      /mine\.json\. The fixture is now empty\. To apply it, use --fresh$/,
    )
    expect(await startOn({ db, fixture: file, fresh: true })).toMatch(
      /created from the fixture .*mine\.json with 5 records$/,
    )
  })

  it('is missing without --db', async () => {
    expect(await startOn({})).toBeUndefined()
  })
})
