import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'
import { newDb } from './support.ts'

const FOREIGN = {
  'a package.json': '{ "name": "mine", "version": "1.0.0" }\n',
  'a fixture': '{\n  "users": [{ "id": "usr_a", "admin": true }]\n}\n',
  'a diary': 'Dear diary,\n',
  'a list': '[1, 2, 3]',
  null: 'null\n',
}

describe.each(Object.entries(FOREIGN))('%s passed as the database by mistake', (_, text) => {
  const file = () => {
    const db = newDb()
    writeFileSync(db, text)
    return db
  }

  it('is not overwritten by --fresh, and no message suggests that', async () => {
    const db = file()
    await expect(simulate({ db, fresh: true })).rejects.toThrow(/is not an edgesim database/)
    // An object can be used as a fixture, once it is valid.
    if (!text.startsWith('{')) await expect(simulate({ db })).rejects.toThrow(/is not an edgesim database/)
    expect(readFileSync(db, 'utf8')).toBe(text)
    expect(existsSync(`${db}.lock`)).toBe(false)
  })
})
