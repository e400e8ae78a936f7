import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ngrok } from '../../../src/ngrok/api.ts'
import { simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'
import { expectOnDisk, newDb, stateOf, stateOnDisk } from './support.ts'

const LOSSES: [string, (log: string) => void][] = [
  ['removed', rmSync],
  ['moved', log => renameSync(log, `${log}.old`)],
  ['cut short', log => truncateSync(log, 10)],
  ['emptied', log => truncateSync(log, 0)],
  ['replaced by another file', log => [rmSync(log), writeFileSync(log, 'x'.repeat(10_000))]],
  ['replaced by a link', log => [renameSync(log, `${log}.old`), symlinkSync(`${log}.old`, log)]],
]

async function losing(lose: (log: string) => void, options: { durability: 'log' | 'fsync' }) {
  const db = newDb()
  const sim = await simulate({ db, ...options })
  for (let i = 0; i < 2; i++) expect((await sim.call('POST', '/api_keys', {})).status).toBe(201)
  lose(`${db}.log`)
  return { db, sim }
}

describe.each(
  ALL ? (['log', 'fsync'] as const) : (['log'] as const),
)('With --durability %s, a log that is', durability => {
  it.each(ALL ? LOSSES : LOSSES.slice(0, 1))('%s is rewritten before any write succeeds', async (_, lose) => {
    const { db, sim } = await losing(lose, { durability })
    const sandbox = sim.sandboxes.default
    const write = async () => {
      const before = stateOf(sandbox)
      const { status, body } = await sim.call('POST', '/api_keys', {})
      if (status === 201) await expectOnDisk(db, sandbox)
      else {
        expect(status).toBe(503)
        expect(body.msg).toMatch(/removed, replaced or truncated/)
        expect(stateOf(sandbox)).toEqual(before)
      }
      return status
    }
    // Not polled, because that would repeat failed expectations.
    while ((await write()) !== 201);
    expect(await write()).toBe(201)
    expect(sim.notices.map(({ text }) => text)).toEqual([
      expect.stringMatching(`Cannot write ${db}, so changes are rejected: .*removed, replaced or truncated`),
      `Writing ${db} works again.`,
    ])
    await sim.close()
    await expectOnDisk(db, sandbox)
  })

  it.runIf(ALL)('removed is rewritten with the next heartbeat, even without writes', async () => {
    const { db, sim } = await losing(rmSync, { durability })
    await expect.poll(() => stateOnDisk(db, ngrok.catalog)).toEqual(stateOf(sim.sandboxes.default))
  })
})
