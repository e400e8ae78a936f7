import { describe, expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { tableIn } from '../support/tables.ts'

const rejected: [body: unknown, says: string][] = tableIn(import.meta.url, 'clock.yaml')

const { call, as } = await simulate()

async function sandboxOf(name: string) {
  await call('PUT', `/_sim/sandboxes/${name}`)
  const path = `/_sim/sandboxes/${name}/clock`
  return {
    api: as(`sim_admin~${name}`),
    set: (body: unknown) => call('PUT', path, body),
    get: async () => (await call('GET', path)).body,
    resume: () => call('DELETE', path),
    reset: () => call('POST', `/_sim/sandboxes/${name}/reset`),
  }
}

/** The clock has advanced from `from` by up to the duration of the read. Responses have whole seconds. */
async function runsOn(from: () => number, read: () => Promise<string | null>) {
  const earliest = from()
  const began = performance.now()
  const time = new Date((await read())!).getTime()
  expect(time).toBeGreaterThan(earliest - 1_000)
  // The machine's clock may be adjusted.
  const latest = Math.max(from(), earliest + (performance.now() - began))
  expect(time).toBeLessThanOrEqual(latest + 1)
}
const realTime = () => Date.now()
const at = (time: string) => () => Date.parse(time)

describe('A sandbox clock', () => {
  it('shows real time by default', async () => {
    const { get, api } = await sandboxOf('real')
    expect(await get()).toMatchObject({ frozen: false, real: true })
    await runsOn(realTime, async () => (await get()).now)
    await runsOn(realTime, async () => (await api('POST', '/api_keys')).body.created_at)
  })

  it('does not move while it is frozen', async () => {
    const { set, get, api } = await sandboxOf('frozen')
    const now = '2026-01-01T00:00:00.000Z'
    expect(await set({ now: '2026-01-01T00:00:00Z', frozen: true })).toMatchObject({
      status: 200,
      body: { now, frozen: true, real: false },
    })
    const { body, headers } = await api('POST', '/api_keys')
    expect(body.created_at).toBe('2026-01-01T00:00:00Z')
    expect(headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
    expect(await get()).toEqual({ now, frozen: true, real: false })
  })

  it('can be frozen at its current time', async () => {
    const { set, get } = await sandboxOf('here')
    let now = ''
    await runsOn(realTime, async () => {
      now = (await set({ frozen: true })).body.now
      return now
    })
    expect((await get()).now).toBe(now)
  })

  it('continues from the time it is set to', async () => {
    const { set, api } = await sandboxOf('set')
    await runsOn(at('2040-06-01T10:00:00Z'), async () => {
      expect((await set({ now: '2040-06-01T12:00:00+02:00' })).body).toMatchObject({ frozen: false, real: false })
      await api('GET', '/api_keys')
      return (await api('POST', '/ip_restrictions', { type: 'agent' })).body.created_at
    })
  })

  it.each([
    ['250ms', '2026-01-01T00:00:00.250Z'],
    ['90s', '2026-01-01T00:01:30.000Z'],
    ['1.5m', '2026-01-01T00:01:30.000Z'],
    ['24h', '2026-01-02T00:00:00.000Z'],
  ])('is advanced by %s, also from a time that is set with it', async (advance, now) => {
    const { set } = await sandboxOf('advanced')
    const from = { now: '2026-01-01T00:00:00Z', frozen: true }
    await set(from)
    expect((await set({ advance })).body).toEqual({ now, frozen: true, real: false })
    expect((await set({ ...from, advance })).body.now).toBe(now)
  })

  it('is advanced while it runs', async () => {
    const { set, api } = await sandboxOf('running')
    await set({ advance: '48h' })
    const inTwoDays = () => Date.now() + 48 * 3_600_000
    await runsOn(inTwoDays, async () => (await api('GET', '/api_keys')).headers.get('date'))
  })

  it('continues from its frozen time when it is resumed', async () => {
    const { set } = await sandboxOf('thawed')
    await set({ now: '2026-01-01T00:00:00Z', frozen: true })
    await runsOn(at('2026-01-01T00:00:00Z'), async () => {
      const { body } = await set({ frozen: false })
      expect(body).toMatchObject({ frozen: false, real: false })
      return body.now
    })
  })

  it('returns to real time when it is resumed, and after a reset', async () => {
    const { set, resume, get, reset } = await sandboxOf('resumed')
    await set({ now: '2026-01-01T00:00:00Z', frozen: true })
    expect(await resume()).toMatchObject({ status: 200, body: { frozen: false, real: true } })
    await runsOn(realTime, async () => (await get()).now)
    await set({ now: '2026-01-01T00:00:00Z', frozen: true })
    await reset()
    expect((await get()).real).toBe(true)
  })

  it('returns to the initial clock after a reset', async () => {
    const launched = await simulate({ clock: '2026-05-05T05:05:05Z' })
    const initial = { now: '2026-05-05T05:05:05.000Z', frozen: true, real: false }
    for (const path of ['/_sim', '/_sim/sandboxes/other']) {
      await launched.as('sim_admin~other')('GET', '/api_keys')
      await launched.call('PUT', `${path}/clock`, { advance: '24h' })
      expect((await launched.call('DELETE', `${path}/clock`)).body.real).toBe(true)
      await launched.call('POST', `${path}/reset`)
      expect((await launched.call('GET', `${path}/clock`)).body).toEqual(initial)
    }
  })

  it('can be set up to the last second of the year 9999', async () => {
    const { set, api } = await sandboxOf('late')
    await set({ now: '9999-12-31T23:59:59Z', frozen: true })
    const { body, headers } = await api('POST', '/api_keys')
    expect(body.created_at).toBe('9999-12-31T23:59:59Z')
    expect(headers.get('date')).toBe('Fri, 31 Dec 9999 23:59:59 GMT')
  })
})

describe('The clock rejects', () => {
  it.each(rejected)('%j', async (body, says) => {
    const { set, get } = await sandboxOf('refusing')
    expect(expectError(await set(body), 400, 400).msg).toMatch(new RegExp(says))
    expect((await get()).real).toBe(true)
  })

  it('steps beyond the last valid date', async () => {
    const { set, api } = await sandboxOf('beyond')
    let status = 200
    for (let steps = 0; status === 200 && steps < 200; steps++) status = (await set({ advance: '876000h' })).status
    expect(status).toBe(400)
    expect((await api('POST', '/api_keys')).body.created_at).toMatch(/^\d{4}-\d\d-\d\dT/)
  })
})
