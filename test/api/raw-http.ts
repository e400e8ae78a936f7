import { connect } from 'node:net'
import { expect } from 'vitest'
import { type Answer, expectError } from '../support/simulate.ts'

export interface RawRequest {
  method?: string
  target?: string
  /** Lines as they are sent, beside those of a good request; the same name twice is sent twice. */
  headers?: string[]
  /** Lines of a good request that are left out: host, authorization, service-version. */
  without?: string[]
  body?: string | Uint8Array
}

/** Sends what no HTTP client would, and reads whatever comes until the server closes. */
export function rawClient(port: number) {
  async function bytes(sent: string | Uint8Array): Promise<Answer> {
    const received = await exchange(port, sent)
    return parseAnswer(received)
  }

  function request(how: RawRequest = {}): Promise<Answer> {
    const { method = 'GET', target = '/api_keys', headers = [], without = [], body = '' } = how
    const good = [`Host: 127.0.0.1:${port}`, 'Authorization: Bearer sim_admin', 'Service-Version: 2']
    const kept = good.filter(line => !without.includes(line.split(':')[0]!.toLowerCase()))
    const head = [`${method} ${target} HTTP/1.1`, ...kept, ...headers, 'Connection: close', '', ''].join('\r\n')
    return bytes(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]))
  }

  /** With the length of the body declared as it is. */
  const send = (method: string, target: string, body: string | Uint8Array, headers: string[] = []) =>
    request({ method, target, body, headers: [`Content-Length: ${Buffer.byteLength(body)}`, ...headers] })

  return { bytes, request, send }
}

function exchange(port: number, sent: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(sent))
    socket.on('data', chunk => chunks.push(chunk))
    // A server that answers before it has read everything may reset the connection behind its answer.
    socket.on('error', error => chunks.length === 0 && reject(error))
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

function parseAnswer(received: Buffer): Answer {
  const end = received.indexOf('\r\n\r\n')
  expect(end, `an answer, not ${JSON.stringify(received.toString('latin1').slice(0, 200))}`).toBeGreaterThan(0)
  const [statusLine, ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  const text = received.subarray(end + 4).toString()
  if (headers.has('content-length')) expect(Buffer.byteLength(text)).toBe(Number(headers.get('content-length')))
  // Metrics are the one answer in plain text.
  const isJson = text !== '' && !headers.get('content-type')?.startsWith('text/plain; version=')
  return { status: Number(statusLine!.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : undefined }
}

/** That error, in the shape that every client of the API can read: JSON, the four members and no other, details of strings. */
export function expectRefusal(answer: Answer, status: number, code: number) {
  const { headers, text, body } = answer
  expect(headers.get('content-type')).toBe('application/json')
  expect(text).not.toMatch(/<html|<!doctype|<pre>/i)
  expect(Object.keys(body)).toEqual(['error_code', 'status_code', 'msg', 'details'])
  for (const [name, value] of Object.entries(body.details)) expect(value, name).toEqual(expect.any(String))
  return expectError(answer, status, code)
}
