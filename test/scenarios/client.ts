import { expect } from 'vitest'
import type { JournalEntry } from '../../src/contract/journal-entry.ts'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { type AskOptions, ask, type Seen } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { bytesOf, talk } from '../support/raw-http.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look at answers of many shapes
type Any = any
type Json = Record<string, unknown>

interface SendOptions extends Omit<AskOptions, 'body' | 'headers'> {
  /** Sent as JSON. */
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** A simulator with a very long closeMs: a connection that a test left open fails the test by its time limit. */
export async function startServer(options: SimulatorOptions = {}) {
  const simulator = await simulate(options, { closeMs: 3_600_000 })
  const { url, port, certificate: ca } = simulator

  function send(method: string, path: string, how: SendOptions = {}): Promise<Seen> {
    const { token = simulator.token, body, headers, ...rest } = how
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return ask(url + path, {
      ...rest,
      ca,
      method,
      headers: { authorization: `Bearer ${token}`, 'service-version': '2', ...json, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  }

  const control = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Any }> => {
    const seen = await send(method, `/_sim${path}`, { body })
    return { status: seen.status!, body: seen.body }
  }

  /** A client of one sandbox. */
  function clientOf(name: string, token: string) {
    const own = (method: string, path: string, body?: unknown) => control(method, `/sandboxes/${name}${path}`, body)
    const requests = async (): Promise<JournalEntry[]> => (await own('GET', '/requests')).body.requests
    /** The journal, newest first, once everything in it is done. */
    const journal = async () => {
      await expect.poll(async () => (await requests()).filter(({ explanation }) => explanation === null)).toEqual([])
      return requests()
    }
    /** Waits until rules hold exactly that many requests. */
    const underWay = (count: number) => {
      const isHeld = ({ explanation, rules }: JournalEntry) => explanation === null && rules.some(({ fired }) => fired)
      return expect.poll(async () => (await requests()).filter(isHeld)).toHaveLength(count)
    }
    return {
      name,
      token,
      send: (method: string, path: string, how: SendOptions = {}) => send(method, path, { token, ...how }),
      /** Everything that comes over a connection of its own, until the server closes it. */
      bytes: (method: string, path: string) => talk(port, bytesOf(port, { method, path, token }), { ca, end: false }),
      control: own,
      /** The journal, newest first, with what is under way. */
      requests,
      journal,
      /** The newest entry of the journal. */
      entry: async () => (await journal())[0]!,
      underWay,
      /** Sends a request and leaves without an answer once a rule holds it. */
      async leave(method: string, path: string, how: SendOptions = {}): Promise<Seen> {
        const leaving = new AbortController()
        const seen = send(method, path, { token, ...how, leave: leaving.signal })
        await underWay(1)
        leaving.abort()
        return seen
      },
      /** What each rule has counted. */
      counts: async (): Promise<[matched: number, fired: number][]> =>
        (await own('GET', '/scenario')).body.rules.map(({ matched, fired }: Any) => [matched, fired]),
      /** Descriptions of the keys, newest first, from the state, which rules do not change. */
      keys: async (): Promise<(string | undefined)[]> =>
        (await own('GET', '/state')).body.api_keys.map(({ description }: Any) => description).reverse(),
      advance: (by: string) => own('PUT', '/clock', { advance: by }),
    }
  }

  /** A client of a new sandbox with a scenario. */
  async function under(scenario: string | Json, recipe: Json = {}) {
    const { status, body } = await control('POST', '/sandboxes', { scenario, ...recipe })
    if (status !== 201) throw new Error(body.msg)
    return clientOf(body.name, body.token)
  }

  return {
    ...simulator,
    send,
    control,
    clientOf,
    default: clientOf('default', simulator.token!),
    under,
    /** A client of a new sandbox with these rules. */
    underRules: (...rules: Json[]) => under({ name: 'test', rules }),
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>
export type Client = Awaited<ReturnType<Server['under']>>

/** Over plain connections and over TLS. */
export const bothWays: [string, SimulatorOptions][] = [
  ['over plain connections', {}],
  ['over TLS', { tls: true }],
]

/** A client that tries again after a lost connection. */
export async function createWithRetries(client: Client, description: string, tries = 3): Promise<Seen> {
  for (;;) {
    const seen = await client.send('POST', '/api_keys', { body: { description } })
    if (seen.error === undefined || --tries === 0) return seen
  }
}
