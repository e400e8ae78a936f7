import { describe, expect, it } from 'vitest'
import { Circuit } from '../../../src/ngrok/edges/circuit-breaker.ts'
import { ask } from '../../support/http.ts'
import { withRoute } from './edges.ts'

const NOW = '2026-05-05T05:05:05Z'
const BREAKER = {
  tripped_duration: 10,
  rolling_window: 10,
  num_buckets: 10,
  volume_threshold: 4,
  error_threshold_percentage: 0.5,
}

/** The upstream responds with the status in the path. */
async function withBreaker(module: object = {}) {
  const edges = await withRoute(
    { circuit_breaker: { ...BREAKER, ...module } },
    (req, res) => res.writeHead(Number(req.url!.slice(1))).end(),
    { clock: NOW },
  )
  const statuses = async (...paths: number[]) => {
    const seen = []
    for (const path of paths) seen.push((await ask(`${edges.at}${path}`)).status)
    return seen
  }
  const advance = (time: string) => edges.call('PUT', '/_sim/clock', { advance: time })
  return { ...edges, statuses, advance }
}

describe('The circuit breaker on a route', () => {
  it('opens when half of the responses are errors, and blocks further requests', async () => {
    const { statuses, counted, at, latest, traffic } = await withBreaker()
    expect(await statuses(500, 200, 503)).toEqual([500, 200, 503])
    expect((await latest()).explanation.text).not.toContain('circuit')
    expect(await statuses(200)).toEqual([200])
    expect((await latest()).explanation.text).toContain(
      'The circuit breaker opened: 2 of 4 responses in 10 seconds were errors.',
    )
    const { status, body } = await ask(`${at}200`)
    expect({ status, code: body.error_code }).toEqual({ status: 503, code: 'ERR_SERVICE_3202' })
    expect(counted.requests).toBe(4)
    const failure = 'the circuit breaker module of edghtsrt_a is open until 2026-05-05T05:05:15Z'
    const text = expect.stringContaining(`${failure}. The sandbox clock is frozen at 2026-05-05T05:05:05Z.`)
    const expected = { verdict: 'allow', status: 503, failure, upstream: null, route: 'edghtsrt_a' }
    expect(await latest()).toMatchObject({ ...expected, explanation: { text } })
    expect((await traffic()).listeners[0]).toMatchObject({ allowed: 5, refused: 0, failed: 1 })
  })

  it('remains open while the clock is frozen, then allows one trial request', async () => {
    const { statuses, advance, latest } = await withBreaker()
    expect(await statuses(500, 500, 500, 500, 200)).toEqual([500, 500, 500, 500, 503])
    await advance('9s')
    expect(await statuses(200)).toEqual([503])
    await advance('1s')
    expect(await statuses(500)).toEqual([500])
    expect((await latest()).explanation.text).toContain('The circuit breaker remains open')
    expect(await statuses(200)).toEqual([503])
    await advance('10s')
    expect(await statuses(200)).toEqual([200])
    expect((await latest()).explanation.text).toContain('The circuit breaker closed')
    expect(await statuses(500, 500, 500, 200, 200)).toEqual([500, 500, 500, 200, 503])
  })

  it('ignores responses before the rolling window', async () => {
    const { statuses, advance } = await withBreaker()
    expect(await statuses(500, 500, 500)).toEqual([500, 500, 500])
    await advance('10s')
    expect(await statuses(500, 200, 200)).toEqual([500, 200, 200])
    await advance('5s')
    expect(await statuses(200, 500, 500)).toEqual([200, 500, 500])
    expect(await statuses(200)).toEqual([503])
  })

  it('opens after one success at a threshold of 0, as in the vendor example', async () => {
    const { statuses } = await withBreaker({ volume_threshold: 1, error_threshold_percentage: 0 })
    expect(await statuses(200, 200)).toEqual([200, 503])
  })

  it('counts an unreachable upstream as an error', async () => {
    const circuit_breaker = { ...BREAKER, volume_threshold: 2 }
    const { at } = await withRoute({ upstream: 'http://127.0.0.1:1', circuit_breaker }, undefined, { clock: NOW })
    const statuses = [(await ask(at)).status, (await ask(at)).status, (await ask(at)).status]
    expect(statuses).toEqual([502, 502, 503])
  })

  it.each([
    ['a reset', 'POST', '/_sim/reset', undefined],
    ['a module change', 'PUT', '/edges/https/edghts_a/routes/edghtsrt_a/circuit_breaker', BREAKER],
  ] as const)('is closed again after %s', async (_, method, path, body) => {
    const { statuses, call } = await withBreaker()
    expect(await statuses(500, 500, 500, 500, 200)).toEqual([500, 500, 500, 500, 503])
    expect((await call(method, path, body)).status).toBeLessThan(300)
    expect(await statuses(200)).toEqual([200])
  })

  it('remains open when another module changes, only in its sandbox', async () => {
    const { statuses, call, portOf } = await withBreaker()
    expect(await statuses(500, 500, 500, 500)).toEqual([500, 500, 500, 500])
    await call('PATCH', '/edges/https/edghts_a/routes/edghtsrt_a', { description: 'new' })
    expect(await statuses(200)).toEqual([503])
    await call('PUT', '/_sim/sandboxes/other', {})
    const port = await portOf('edghts_a', '/_sim/sandboxes/other')
    expect((await ask(`http://127.0.0.1:${port}/200`)).status).toBe(200)
  })
})

describe('A circuit', () => {
  const trip = () => {
    const circuit = new Circuit({ ...BREAKER, volume_threshold: 1 })
    const first = circuit.admit(0)
    if ('recordResult' in first) first.recordResult(0, true)
    return circuit
  }

  it('allows one trial request at a time, and another if it is lost', () => {
    const circuit = trip()
    const trying = circuit.admit(10_000)
    expect(circuit.admit(10_000)).toEqual({ until: undefined })
    if ('recordResult' in trying) expect(trying.recordResult(10_000, undefined)).toBe('')
    expect(circuit.admit(10_000)).toHaveProperty('recordResult')
  })

  it('ignores requests sent before it opened', () => {
    const circuit = new Circuit({ ...BREAKER, volume_threshold: 1 })
    const [early, first] = [circuit.admit(0), circuit.admit(0)]
    if ('recordResult' in first) first.recordResult(0, true)
    if ('recordResult' in early) expect(early.recordResult(1, true)).toBe('')
    expect(circuit.admit(2)).toEqual({ until: 10_000 })
  })

  it('allows a trial request when the clock was set back', () => {
    expect(trip().admit(-1)).toHaveProperty('recordResult')
  })
})
