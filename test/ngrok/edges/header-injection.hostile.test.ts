import { createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Assuming, Clock } from '../../../src/engine/sandbox/index.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import type { Assumed } from '../../../src/ngrok/assumed.ts'
import { readRules, rewrite } from '../../../src/ngrok/edges/header-rules.ts'
import { ask, listening } from '../../support/http.ts'
import { LONG } from '../../support/long.ts'
import { httpsEdge, withEdges } from './edges.ts'

/** A short run skips most letters, digits and bytes above ASCII. */
const isTried = (byte: number) =>
  LONG || (byte < 0xa0 && !/[B-YAb-y1-8]/.test(String.fromCharCode(byte))) || byte === 0xff

async function recorder() {
  const seen: string[] = []
  const port = await listening(
    createServer(socket => {
      socket.once('data', chunk => {
        seen.push(chunk.toString('latin1'))
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
      })
    }),
  )
  return { seen, port }
}

const limits = LONG ? (['documented', 'wide'] as const) : (['documented'] as const)

/** Adds a header with each byte in its name and in its value, and reads the bytes on the wire. */
async function tryAllBytes(limit: (typeof limits)[number]) {
  const { seen, port } = await recorder()
  const { call, portOf } = await withEdges(httpsEdge(port), { assume: { header_limits: limit } })
  const url = `http://127.0.0.1:${await portOf('edghts_a')}/`
  const module = '/edges/https/edghts_a/routes/edghtsrt_a/request_headers'
  let taken = 0
  const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter(isTried)
  for (const byte of bytes) {
    const char = String.fromCharCode(byte)
    for (const add of [{ 'X-A': `a${char}Evil: 1` }, { [`X${char}A`]: 'v' }]) {
      const { status } = await call('PUT', module, { add })
      if (status !== 200) {
        expect(status).toBe(400)
        continue
      }
      taken++
      expect((await ask(url, { headers: ['Host', 'h'] })).status).toBe(204)
      const lines = seen.pop()!.split('\r\n')
      const [[name, value]] = Object.entries(add) as [[string, string]]
      expect(lines).toEqual([
        'GET / HTTP/1.1',
        'Host: h',
        `${limit === 'wide' ? name : name.toLowerCase()}: ${value}`,
        expect.stringMatching(/^Connection: /),
        '',
        '',
      ])
    }
  }
  // Exactly what RFC 9110 allows.
  const inValue = bytes.filter(byte => byte >= 0x20 && byte < 0x7f)
  const inName = bytes.filter(byte => /[\w!#$%&'*+.^`|~-]/.test(String.fromCharCode(byte)))
  expect(taken).toBe(inValue.length + inName.length)
}

describe('An added header', () => {
  it('never adds a line to a request, for any byte in its name and value', async () => {
    for (const limit of limits) await tryAllBytes(limit)
  })

  it('is checked again on use', () => {
    const add = { 'X-A': 'fine', 'X-B': 'a\r\nEvil: 1', 'Bad\nName': 'x', 'Content-Length': '5' }
    const rules = readRules({ enabled: true, add, remove: [] })
    const { headers, added } = rewrite(
      ['Host', 'h'],
      rules,
      new Assuming({ assumed: { header_limits: 'wide' }, api: ngrok, clock: new Clock() }),
    )
    expect(headers).toEqual(['Host', 'h', 'X-A', 'fine'])
    expect(added).toEqual({ 'X-A': 'fine' })
  })
})

describe('Rewriting headers', () => {
  const name = fc.constantFrom('A', 'a', 'B', 'b', 'X-C', 'x-c', 'Host', 'host')
  const value = fc.constantFrom('1', '2', '')
  const raw = fc.array(fc.tuple(name, value), { maxLength: 6 }).map(list => list.flat())
  const rules = fc.record({
    enabled: fc.constant(true),
    add: fc.dictionary(name, value, { maxKeys: 3 }),
    remove: fc.array(fc.constantFrom('a', 'B', 'x-C', 'HOST'), { maxLength: 2 }),
  })
  const assumed: fc.Arbitrary<Assumed> = fc.record({
    add_existing_header: fc.constantFrom('append', 'replace'),
    header_limits: fc.constantFrom(...limits),
  })

  it('adds and removes exactly the specified headers', () => {
    fc.assert(
      fc.property(raw, rules, assumed, (given, how, assume) => {
        const { headers } = rewrite(
          given,
          readRules(how),
          new Assuming({ assumed: assume, api: ngrok, clock: new Clock() }),
        )
        const lower = (text: string) => text.toLowerCase()
        const wide = assume.header_limits === 'wide'
        const added = Object.entries(how.add).map(([each, text]) => [wide ? each : lower(each), text] as const)
        const names = new Set(added.map(([each]) => lower(each)))
        // Host is removed only if it is also added.
        const gone = new Set(how.remove.map(lower).filter(each => each !== 'host' || names.has('host')))
        // Added headers are last, after headers that were neither removed nor replaced.
        const own = headers.slice(0, headers.length - 2 * added.length)
        expect(headers.slice(own.length)).toEqual(added.flat())
        const kept: string[] = []
        for (let i = 0; i < given.length; i += 2) {
          const each = lower(given[i]!)
          const replaced = names.has(each) && (each === 'host' || assume.add_existing_header === 'replace')
          if (!gone.has(each) && !replaced) kept.push(given[i]!, given[i + 1]!)
        }
        expect(own).toEqual(kept)
      }),
      { numRuns: 300, seed: 7 },
    )
  })
})
