import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { edgesimHere } from '../../support/in-process.ts'

describe('JSON with a duplicate key', () => {
  it.each([
    ['at the top', '{\n  "users": [],\n  "bots": [],\n  "users": []\n}', '4:3'],
    ['inside', '{ "users": [{ "id": "usr_a", "name": "\\"x\\": 1", "name": "b" }] }', '1:50'],
  ])('is rejected: %s', async (_, text, place) => {
    const folder = folderWith({ 'twice.json': text })
    const { code, err } = await edgesimHere(['validate', 'twice.json'], { cwd: folder })
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(new RegExp(`^twice.json:${place}: duplicate field "\\w+"`)),
    })
  })

  it('is accepted if the keys are in different objects', async () => {
    const text = '{ "users": [{ "id": "usr_a", "name": "a\\": \\"b" }, { "id": "usr_b", "name": "\\"name\\":" }] }'
    const { code, err } = await edgesimHere(['validate', 'once.json'], { cwd: folderWith({ 'once.json': text }) })
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})
