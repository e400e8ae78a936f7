import { expect } from 'vitest'
import { openEvents } from '../../support/http.ts'
import { pooledClient } from '../../support/raw-http.ts'
import type { Baseline, Group, Row } from './row.ts'

const FULL = 1_000
const KEPT = 1_000
const CALLS = 60
/** One turn may read 60 concurrent requests and run a slice. */
const TOGETHER = 100

/** A full journal of small requests, and of requests of 60 KB up to 16 MB. */
const rows = ({ send, port }: Baseline): Row[] => {
  const verify = (body: object) => send('POST', '/_sim/requests/verify', { body, status: [200, 400, 409] })
  const asked = (query: string) => send('GET', `/_sim/requests?${query}`)
  const asHar = () => send('GET', '/_sim/requests.har')
  const small = `${FULL} entries`
  const fill = (body: object, status: number[]) => async () => {
    const batch = () => Promise.all(Array.from({ length: 8 }, () => send('POST', '/api_keys', { body, status })))
    for (let i = 0; i < FULL; i += 8) await batch()
  }
  const onlyOnce = (fill: () => Promise<void>) => {
    let filled: Promise<void> | undefined
    return () => {
      filled ??= fill()
      return filled
    }
  }
  const withSmall = onlyOnce(fill({ description: 'a'.repeat(250), metadata: 'a'.repeat(4_000) }, [201]))
  const withLarge = onlyOnce(fill({ description: 'a', extra: 'a'.repeat(60_000) }, [400, 201]))
  const nothing = { operation: 'create_api_key', where: { 'body.description': 'nothing' } }
  const step = { operation: 'create_api_key', where: { 'body.description': { contains: 'a' } } }
  const verifying = (what: string, expected: object, size = small): Row => ({
    what: `verify: ${what}`,
    size,
    act: () => verify(expected),
  })
  const looksFor = (pattern: string, count: number) => ({
    sequence: Array.from({ length: count }, () => ({ where: { 'body.metadata': { matches: pattern } } })),
  })
  /** 60 concurrent verifications, or 60 filters without a body. */
  const together = (what: string, body: object | undefined): Row => ({
    what: `60 concurrent: ${what}`,
    size: small,
    bound: TOGETHER,
    async act() {
      const client = pooledClient(port, CALLS)
      const filter = encodeURIComponent('obj.metadata.contains("aaaaab")')
      const call = body
        ? { method: 'POST', path: '/_sim/requests/verify', body }
        : { method: 'GET', path: `/api_keys?filter=${filter}` }
      const responses = await Promise.all(Array.from({ length: CALLS }, () => client.send(call)))
      client.close()
      for (const { status } of responses) expect([200, 409]).toContain(status)
    },
  })
  return [
    {
      what: 'events: 1,000 replayed',
      size: 'up to 4 MB',
      before: () => replayable(port, withSmall),
      act: () => replay(port),
    },
    { ...verifying('nothing matches', nothing), before: withSmall },
    verifying('a regular expression', { where: { 'body.metadata': { matches: 'b$' } } }),
    verifying('a slow regular expression', { where: { 'body.metadata': { matches: '^(a+)+b$' } } }),
    verifying('a regular expression of many states', {
      where: { 'body.metadata': { matches: '[^z]*a[^z]{90}[^az]' } },
    }),
    verifying('500 regular expressions in order', looksFor('a$', 500)),
    together('regular expressions', { where: { 'body.metadata': { matches: '[^z]*a[^z]{90}[^az]' } } }),
    together('sequences', looksFor('a$', 500)),
    together('filters', undefined),
    verifying('1,000 steps', { sequence: Array.from({ length: FULL }, () => step) }),
    { what: 'journal: 100 entries', size: small, act: () => asked('') },
    { what: 'journal: everything', size: small, act: () => asked('limit=1000') },
    { what: 'journal: as HAR', size: small, act: asHar },
    { what: 'journal: by a path of many stars', size: small, act: () => asked(`path=/api_keys/${'*a'.repeat(20)}`) },
    { ...verifying('nothing matches', nothing, '16 MB'), before: withLarge },
    verifying('contains', { where: { 'body.extra': { contains: 'aab' } } }, '16 MB'),
    verifying('a regular expression', { where: { 'body.extra': { matches: 'b$' } } }, '16 MB'),
    { what: 'journal: 100 entries', size: '6 MB', act: () => asked('') },
    { what: 'journal: everything', size: '16 MB', act: () => asked('limit=1000') },
    { what: 'journal: as HAR', size: '16 MB', act: asHar },
    {
      what: 'journal: unknown entry',
      size: '16 MB',
      act: () => send('GET', '/_sim/requests/op_x', { status: [404] }),
    },
  ]
}

/** Nearly all stored events are replayed after this event id. */
let seen = ''

const eventsAt = (port: number) => `http://127.0.0.1:${port}/_sim/events`

/** Events are stored once a stream is opened. */
async function replayable(port: number, fill: () => Promise<void>) {
  if (seen) return
  const stream = await openEvents(eventsAt(port))
  await fill()
  await stream.until(() => stream.events.some(({ data }) => data.seq === FULL))
  const [born, last] = stream.events.at(-1)!.id.split('-')
  seen = `${born}-${Number(last) - KEPT + 100}`
  stream.leave()
}

async function replay(port: number) {
  const stream = await openEvents(eventsAt(port), { 'last-event-id': seen })
  await stream.untilCount(KEPT - 100)
  stream.leave()
}

export const journal: Group = { name: 'journal', rows }
