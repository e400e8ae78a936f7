import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterwards } from '../../support/afterwards.ts'

export interface Sent {
  body?: Buffer | string | object
  headers?: Record<string, string>
  token?: string
  /** Statuses that are as expected: any success, if none is given. */
  status?: number[]
}

/** Calls over a few kept connections, which make nothing of an answer until somebody asks. */
export function clientOf(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  afterwards(() => agent.destroy())

  return async function send(method: string, path: string, { body, headers, token = 'sim_admin', status }: Sent = {}) {
    const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const given = { authorization: `Bearer ${token}`, 'service-version': '2', ...headers }
    const typed = bytes === undefined ? given : { ...given, 'content-type': 'application/json' }
    const sent = request({ port, host: '127.0.0.1', agent, method, path, headers: typed })
    sent.end(bytes)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const text = await buffer(answer)
    const fine = status?.includes(answer.statusCode!) ?? answer.statusCode! < 300
    if (!fine) throw new Error(`${method} ${path.slice(0, 200)}: ${answer.statusCode} ${text.toString().slice(0, 500)}`)
    return { status: answer.statusCode!, headers: answer.headers, json: () => JSON.parse(text.toString()) }
  }
}

export type Send = ReturnType<typeof clientOf>
