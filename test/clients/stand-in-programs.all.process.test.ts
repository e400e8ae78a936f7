import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { folderWith, root } from '../support/afterwards.ts'
import { launch } from '../support/as-process.ts'
import { expectAllKeys, expectAllRead, FETCH, HOST, NO_LOOKUP, readWithAll } from './programs/reading.ts'

describe('exec --as api.ngrok.com, with clients that have a hard-coded host,', () => {
  let read: Awaited<ReturnType<typeof readWithAll>>
  beforeAll(async () => {
    read = await readWithAll()
  }, 300_000)

  it('serves each of them', () => expectAllRead(read.served))

  it('rejects node:http2 in the handshake, because it speaks only HTTP/1.1', () => {
    expect(read.http2!.error).toContain('no application protocol')
  })

  it('preserves existing Node options', () => {
    expect(read.noLookup).toBe(true)
  })
})

describe('exec --as', () => {
  it('works in a folder with spaces in its name', async () => {
    const folder = join(folderWith(), 'with two spaces')
    for (const part of ['bin', 'dist', 'fixtures', 'scenarios', 'package.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true, filter: file => !file.endsWith('.map') })
    const { code, out, err } = await launch(['exec', '--as', HOST, '--', process.execPath, FETCH, 'spaces'], {
      command: [process.execPath, join(folder, 'bin/edgesim.js')],
      env: { NODE_OPTIONS: NO_LOOKUP },
    }).ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expectAllKeys(JSON.parse(out))
  })
})
