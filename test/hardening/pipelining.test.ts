import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { simulate } from '../support/simulate.ts'

const { port, call } = await simulate()
const host = `Host: 127.0.0.1:${port}\r\n`
const json = '{"description":"was made"}'
const create = `POST /api_keys HTTP/1.1\r\n${host}Authorization: Bearer sim_admin\r\nService-Version: 2\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`

/** The statuses that come back until the connection is closed, or the last that is wanted has come. */
const statuses = (sent: string, wanted: number) =>
  new Promise<number[]>((resolve, reject) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(sent))
    const seen = () => [...said.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
    socket.on('data', chunk => {
      said += chunk.toString('latin1')
      if (seen().length >= wanted) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(seen()))
  })

describe('Behind a request that is carried out, in one packet with it,', () => {
  it.each([
    ['what is not HTTP', 'x\r\n\r\n', 400],
    ['a broken request line', 'GET /\r\n\r\n', 400],
    ['a CONNECT', `CONNECT x:1 HTTP/1.1\r\n${host}\r\n`, 405],
    ['an Expect that nobody knows', `GET /_sim/health HTTP/1.1\r\n${host}Expect: x\r\n\r\n`, 417],
  ])('%s is answered after it', async (_, behind, status) => {
    expect(await statuses(create + behind, 2)).toEqual([201, status])
    expect(await statuses(create + create + behind, 3)).toEqual([201, 201, status])
  })

  it('one whose own body cannot be read is answered after it, too', async () => {
    const broken = `POST /api_keys HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`
    expect((await statuses(create + broken, 2))[0]).toBe(201)
    expect((await statuses(`${create}${create}${broken}`, 3)).slice(0, 2)).toEqual([201, 201])
  })

  it('what breaks the request itself is answered for it', async () => {
    const chunked = create.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked').replace(json, 'zzz\r\n\r\n')
    expect(await statuses(chunked, 1)).toEqual([400])
    const { body } = await call('GET', '/api_keys')
    expect(body.keys.filter((key: { description?: string }) => key.description === 'was made')).toHaveLength(15)
  })
})
