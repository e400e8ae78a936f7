import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'

describe('Stopping', () => {
  it('loses no acknowledged write under load', async () => {
    const db = join(folderWith(), 'db.json')
    const { call, child, ended } = await startEdgesim(['--db', db])
    const answered: string[] = []
    const busy = Array.from({ length: 8 }, async () => {
      for (;;) {
        try {
          const { status, body } = await call('POST', '/api_keys', { description: 'busy' })
          if (status === 201) answered.push(body.id)
        } catch {
          return
        }
        if (answered.length === 100) child.kill('SIGTERM')
      }
    })
    await Promise.all(busy)
    expect((await ended).code).toBe(0)
    expect(answered.length).toBeGreaterThanOrEqual(100)
    const { body: state } = await (await startEdgesim(['--db', db])).call('GET', '/_sim/state')
    const kept = new Set(state.api_keys.map(({ id }: { id: string }) => id))
    expect(answered.filter(id => !kept.has(id))).toEqual([])
  })

  it('ends hanging requests and event streams', async () => {
    const { ready, call, child, ended } = await startEdgesim(['--scenario', 'hangs'], {
      cwd: folderWith({ 'hangs.yaml': 'name: hangs\nrules:\n  - fault: { type: hang }\n' }),
      env: { EDGESIM_SCENARIOS_DIR: '.' },
    })
    const events = await fetch(`${ready.url}/_sim/events`)
    const hanging = call('GET', '/api_keys').catch(() => 'cut off')
    // A hanging request has no event yet, but its rule counts it.
    await expect.poll(async () => (await call('GET', '/_sim/scenario')).body.rules[0].fired).toBe(1)
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
    await hanging
    await events.body?.cancel().catch(() => {})
  })
})
