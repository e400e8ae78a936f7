import { expect, it } from 'vitest'
import stored from '../../docs/contributing/performance.json' with { type: 'json' }

const { judge } = await import(new URL('gate.js', import.meta.url).href)
const cases = '1 ok,1.07 ok,1.09 warning,1.24 warning,1.26 FAILED'.split(',').map(text => text.split(' '))

it.each(cases)('%s times the stored ratio is: %s', (times, verdict) => {
  const { get, ...others } = stored.gate
  const { lines, failed } = judge({ get: { ...get, ratio: get.ratio * Number(times) }, ...others }, stored.gate)
  expect({ lines: lines.length, failed }).toEqual({ lines: 3, failed: verdict === 'FAILED' })
  expect(lines[0]).toMatch(`${verdict}: CPU of a get: ${get.edgesim} µs`)
})
