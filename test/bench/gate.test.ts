import { expect, it } from 'vitest'
import performance from '../../docs/contributing/performance.json' with { type: 'json' }

const stored = performance.gate['Neoverse-N1']
const { judge, storedFor } = await import(new URL('gate.js', import.meta.url).href)
const cases = '1 ok,1.07 ok,1.09 warning,1.24 warning,1.26 FAILED'.split(',').map(text => text.split(' '))

it.each(cases)('%s times the stored ratio is: %s', (times, verdict) => {
  const { get, ...others } = stored
  const judged = judge({ get: { ...get, ratio: get.ratio * Number(times) }, ...others }, stored)
  expect(judged).toMatchObject([{ name: 'get', verdict }, { verdict: 'ok' }, { verdict: 'ok' }])
  expect(judged[0].line).toMatch(`${verdict}: CPU of a get: ${get.edgesim} µs`)
})

it('Figures are compared with those of the same processor, or of the most similar one', () => {
  const gate = { slow: { create: { bare: 105 } }, fast: { create: { bare: 50 } } }
  const seen = { create: { bare: 90 } }
  expect(storedFor('fast', seen, gate)).toBe(gate.fast)
  expect(storedFor('unknown', seen, gate)).toBe(gate.slow)
  expect(storedFor('unknown', { create: { bare: 60 } }, gate)).toBe(gate.fast)
})
