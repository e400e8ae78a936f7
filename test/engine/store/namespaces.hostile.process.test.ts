import { describe, expect, it } from 'vitest'
import { EDGESIM, edgesim, startEdgesim } from '../../support/as-process.ts'
import { alone } from '../../support/namespaces.ts'
import { newDb } from './support.ts'

const command = [...(alone ?? []), ...EDGESIM]

describe.skipIf(!alone)('Of two containers with one database', () => {
  it('the second cannot start, though both are process 1', async () => {
    const db = newDb()
    const first = await startEdgesim(['--db', db], { command })
    expect(first.ready.pid).toBe(1)
    const { code, err } = await edgesim(['--db', db, '--port', '0'], { command })
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('is locked by process 1 on ') })
    expect((await first.call('POST', '/api_keys', {})).status).toBe(201)
  })
})
