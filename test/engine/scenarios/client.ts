import { expect } from 'vitest'
import type { JournalEntry } from '../../../src/contract/journal-entry.ts'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import { type AskOptions, ask, type Seen } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { bytesOf, talk } from '../../support/raw-http.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
type Any = any
type Json = Record<string, unknown>

interface SendOptions extends Omit<AskOptions, 'body' | 'headers'> {
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

/** With a very long stopGrace, a connection that a test leaves open times out the test. */
export async function startServer(options: SimulatorOptions = {}) {
  const simulator = await simulate({ stopGrace: '1h', ...options })
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

  function clientOf(name: string, token: string) {
    const own = (method: string, path: string, body?: unknown) => control(method, `/sandboxes/${name}${path}`, body)
    const requests = async (): Promise<JournalEntry[]> => (await own('GET', '/requests')).body.requests
    /** The journal, newest first, after all requests have ended. */
    const journal = async () => {
      await expect.poll(async () => (await requests()).filter(({ explanation }) => explanation === null)).toEqual([])
      return requests()
    }
    /** Waits until rules delay exactly `count` requests. */
    const underWay = (count: number) => {
      const isHeld = ({ explanation, rules }: JournalEntry) => explanation === null && rules.some(({ fired }) => fired)
      return expect.poll(async () => (await requests()).filter(isHeld)).toHaveLength(count)
    }
    return {
      name,
      token,
      send: (method: string, path: string, how: SendOptions = {}) => send(method, path, { token, ...how }),
      /** All bytes on a separate connection until the server closes it. */
      bytes: (method: string, path: string) => talk(port, bytesOf(port, { method, path, token }), { ca, end: false }),
      control: own,
      /** The journal, newest first, including pending requests. */
      requests,
      journal,
      entry: async () => (await journal())[0]!,
      underWay,
      /** Sends a request and disconnects once a rule delays it. */
      async leave(method: string, path: string, how: SendOptions = {}): Promise<Seen> {
        const leaving = new AbortController()
        const seen = send(method, path, { token, ...how, leave: leaving.signal })
        await underWay(1)
        leaving.abort()
        return seen
      },
      counts: async (): Promise<[matched: number, fired: number][]> =>
        (await own('GET', '/scenario')).body.rules.map(({ matched, fired }: Any) => [matched, fired]),
      /** Descriptions of the keys, newest first, from the state, so rules have no effect. */
      keys: async (): Promise<(string | undefined)[]> =>
        (await own('GET', '/state')).body.api_keys.map(({ description }: Any) => description).reverse(),
      advance: (by: string) => own('PUT', '/clock', { advance: by }),
    }
  }

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
    underRules: (...rules: Json[]) => under({ name: 'test', rules }),
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>
export type Client = Awaited<ReturnType<Server['under']>>
