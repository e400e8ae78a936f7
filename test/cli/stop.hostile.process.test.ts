import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { dial } from '../support/raw-http.ts'

async function open({ port }: URL, text: string, answered: boolean) {
  const { socket, heard } = dial(Number(port))
  await once(socket, 'connect')
  socket.write(text)
  if (answered) await heard
}

describe('Stopping', () => {
  it('does not wait for 200 idle connections and 50 half-sent requests', async () => {
    const { ready, child, ended } = await startEdgesim()
    const url = new URL(ready.url)
    const whole = 'GET /_sim/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n'
    const half = 'POST /api_keys HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"descr'
    await Promise.all(Array.from({ length: 200 }, () => open(url, whole, true)))
    await Promise.all(Array.from({ length: 50 }, () => open(url, half, false)))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

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
    const again = await startEdgesim(['--db', db])
    const state = await (await fetch(`${again.ready.url}/_sim/state`)).json()
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
    for (;;) {
      const { rules } = await (await fetch(`${ready.url}/_sim/scenario`)).json()
      if (rules[0].fired > 0) break
    }
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
    await hanging
    await events.body?.cancel().catch(() => {})
  })
})
