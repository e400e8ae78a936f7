import { Agent } from 'node:http'
import { afterwards } from '../../support/afterwards.ts'
import { ask } from '../../support/http.ts'

export interface Sent {
  body?: Buffer | string | object
  headers?: Record<string, string>
  token?: string
  /** Expected statuses, by default any success. */
  status?: number[]
}

/** Calls over a few open connections. An unexpected response throws. */
export function clientOf(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  afterwards(() => agent.destroy())

  return async function send(method: string, path: string, { body, headers, token = 'sim_admin', status }: Sent = {}) {
    const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const given = { authorization: `Bearer ${token}`, 'service-version': '2', ...headers }
    const typed = bytes === undefined ? given : { ...given, 'content-type': 'application/json' }
    const seen = await ask(`http://127.0.0.1:${port}${path}`, { method, agent, headers: typed, body: bytes })
    const isFine = seen.status !== undefined && (status?.includes(seen.status) ?? seen.status < 300)
    if (!isFine)
      throw new Error(`${method} ${path.slice(0, 200)}: ${seen.status} ${seen.error} ${seen.text.slice(0, 500)}`)
    return seen
  }
}

export type Send = ReturnType<typeof clientOf>
