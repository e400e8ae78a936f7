import { expect } from 'vitest'
import type { SimulatorOptions } from '../../src/options.ts'
import { type Hooks, type Parts, startSimulator } from '../../src/simulator.ts'
import { afterwards } from './afterwards.ts'
import { checkAnswer } from './openapi.ts'

export interface CallOptions {
  /** null sends no Authorization header. */
  token?: string | null
  /** null sends no version header. */
  version?: string | null
  headers?: Record<string, string>
  /** Sent as it is; an object given as the body is sent as JSON. */
  raw?: string | Uint8Array
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of many shapes
  body: any
}

/** A running simulator on a port of its own, closed after the test. */
export async function simulate(options: SimulatorOptions = {}, hooks: Hooks = {}, parts: Parts = {}) {
  const simulator = await startSimulator({ port: 0, ...options }, hooks, parts)
  afterwards(() => simulator.close())
  const vendor = options.vendor ?? 'service'

  async function call(method: string, path: string, body?: unknown, how: CallOptions = {}): Promise<Answer> {
    const { token = simulator.token, version = '2', raw } = how
    const headers: Record<string, string> = {}
    if (token !== null) headers.authorization = `Bearer ${token}`
    if (version !== null) headers[`${vendor}-version`] = version
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(simulator.url + path, {
      method,
      headers: { ...headers, ...how.headers },
      body: sent as RequestInit['body'],
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: text ? JSON.parse(text) : undefined,
    }
    checkAnswer(method, path, answer)
    return answer
  }

  return {
    ...simulator,
    call,
    /** The same calls, made with another token. */
    as:
      (token: string | null) =>
      (method: string, path: string, body?: unknown, how: CallOptions = {}) =>
        call(method, path, body, { ...how, token }),
  }
}

export type Simulated = Awaited<ReturnType<typeof simulate>>

/** The answer is an error with that number and status; the message says something. */
export function expectError(answer: Answer, status: number, code: number) {
  expect({ status: answer.status, code: answer.body?.error_code }).toEqual({ status, code: `ERR_SERVICE_${code}` })
  expect(answer.body.status_code).toBe(status)
  expect(answer.body.msg.length).toBeGreaterThan(20)
  return answer.body
}
