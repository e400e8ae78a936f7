import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { repair } from '../../src/store/repair.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'
import { newDb } from './support.ts'

const FOREIGN = {
  'a package.json': '{ "name": "mine", "version": "1.0.0" }\n',
  'a fixture': '{\n  "users": [{ "id": "usr_a", "admin": true }]\n}\n',
  'a text': 'Dear diary,\n',
  'a list': '[1, 2, 3]',
}

describe.each(Object.entries(FOREIGN))('%s given as the database by mistake', (_, text) => {
  const file = () => {
    const db = newDb()
    writeFileSync(db, text)
    return db
  }

  it('is not overwritten by --fresh', async () => {
    const db = file()
    await expect(simulate({ db, fresh: true })).rejects.toThrow(/is not a database of edgesim/)
    expect(readFileSync(db, 'utf8')).toBe(text)
    expect(existsSync(`${db}.lock`)).toBe(false)
  })

  it('is not repaired', async () => {
    const db = file()
    await expect(repair(db)).rejects.toThrow(/is not a database of edgesim\. Nothing was changed/)
    expect(readFileSync(db, 'utf8')).toBe(text)
    const { code, err } = await edgesimHere(['repair', db])
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(/not a database of edgesim/) })
  })
})

describe('A database is overwritten by --fresh', () => {
  it.each([
    ['whole', (text: string) => text],
    ['cut short', (text: string) => text.slice(0, 200)],
    ['empty', () => ''],
    ['of NUL bytes', (text: string) => '\0'.repeat(text.length)],
  ])('if it is %s', async (_, spoil) => {
    const db = newDb()
    await (await simulate({ db })).close()
    writeFileSync(db, spoil(readFileSync(db, 'utf8')))
    const { call } = await simulate({ db, fresh: true, fixture: 'empty' })
    expect((await call('GET', '/_sim/state')).body.api_keys).toHaveLength(1)
  })
})
