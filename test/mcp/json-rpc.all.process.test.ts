import { describe, expect, it } from 'vitest'
import { launch } from '../support/as-process.ts'

/** One process for all tests, each of which waits for its own answers. */
const { child, printed } = launch(['mcp', '--log', 'silent'])

let pings = 0

/** The answers to a line: as many as given, and all that come before the answer to a later ping. */
async function answersTo(line: unknown, count = 0): Promise<unknown[]> {
  const ping = `ping ${++pings}`
  const from = printed.out.length
  const text = typeof line === 'string' ? line : JSON.stringify(line)
  child.stdin.write(`${text}\n${JSON.stringify(asking(ping, 'ping'))}\n`)
  const lines = () => printed.out.slice(from).split('\n').slice(0, -1)
  const isPing = (answer: string) => answer.includes(`"id":"${ping}"`)
  await expect.poll(() => lines().some(isPing) && lines().length > count).toBe(true)
  return lines()
    .filter(answer => !isPing(answer))
    .map(answer => JSON.parse(answer))
}

const asking = (id: unknown, method: unknown, params?: unknown) => ({ jsonrpc: '2.0', id, method, params })
const failed = (id: unknown, code: number, message: RegExp) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.stringMatching(message) },
})
const hello = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})
const speak = async (protocolVersion: string) => {
  const [answer] = await answersTo(asking('hello', 'initialize', hello(protocolVersion)), 1)
  expect(answer).toMatchObject({ id: 'hello', result: { protocolVersion } })
}

describe('A message that is not JSON-RPC', () => {
  it.each<[what: string, line: unknown, answer: object]>([
    ['what is no JSON', 'this is not the protocol', failed(null, -32700, /^The line is not JSON: /)],
    ['half a message', '{"jsonrpc":"2.0","id":7,', failed(null, -32700, /^The line is not JSON: /)],
    ['another version', { ...asking(7, 'ping'), jsonrpc: '1.0' }, failed(7, -32600, /"2\.0"/)],
    ['no version', { id: 'seven', method: 'ping' }, failed('seven', -32600, /"2\.0"/)],
    ['a method that is not a text', asking(7, 7), failed(7, -32600, /method/)],
    ['no method', { jsonrpc: '2.0', id: 7 }, failed(7, -32600, /method/)],
    ['a member too many', { ...asking(7, 'ping'), more: 1 }, failed(7, -32600, /nothing else/)],
    ['an id that is null', asking(null, 'ping'), failed(null, -32600, /id/)],
    ['an id that is an object', asking({}, 'ping'), failed(null, -32600, /id/)],
    ['no object', 7, failed(null, -32600, /JSON-RPC 2\.0/)],
    ['nothing', {}, failed(null, -32600, /JSON-RPC 2\.0/)],
    ['params that are a text', asking(7, 'ping', 'x'), failed(7, -32602, /^params /)],
    ['params that are a list', asking(7, 'tools/list', []), failed(7, -32602, /^params /)],
    [
      'params of another type inside',
      asking(7, 'tools/call', { name: 5 }),
      failed(7, -32602, /params\.name: .*string/),
    ],
    ['params that are missing', asking(7, 'resources/read'), failed(7, -32602, /params: .*object/)],
    ['an unknown method', asking(7, 'tools/cal', {}), failed(7, -32601, /not found/)],
  ])('is answered with the error for %s', async (_, line, answer) => {
    expect(await answersTo(line)).toEqual([answer])
  })

  it.each<[what: string, line: unknown]>([
    ['a notification with wrong params', { jsonrpc: '2.0', method: 'notifications/initialized', params: 7 }],
    ['an answer to nothing', { jsonrpc: '2.0', id: 7, result: {} }],
    ['an invalid answer', { jsonrpc: '2.0', id: 7, result: 7 }],
    ['an empty line', ' '],
  ])('is not answered if it is %s', async (_, line) => {
    expect(await answersTo(line)).toEqual([])
  })
})

describe('A batch of messages', () => {
  it.each(['2025-03-26', '2024-11-05'])('is answered as a batch under version %s', async version => {
    await speak(version)
    const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const clock = asking(1, 'tools/call', { name: 'get_clock' })
    const wrong = [asking(2, 'nothing'), asking(3, 'ping', 'x'), 7, [], asking(4, 'initialize', hello(version))]
    const [answers, ...others] = await answersTo([clock, told, ...wrong], 1)
    expect(others).toEqual([])
    expect(answers).toHaveLength(6)
    expect(answers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 1, result: expect.objectContaining({ content: expect.anything() }) }),
        failed(2, -32601, /not found/),
        failed(3, -32602, /params/),
        failed(null, -32600, /JSON-RPC/),
        failed(4, -32600, /initialize cannot be one of several/),
      ]),
    )
  })

  it('is answered with an error if it is empty, and not at all if it has only notifications', async () => {
    await speak('2025-03-26')
    expect(await answersTo([])).toEqual([failed(null, -32600, /empty/)])
    const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await answersTo([told, told])).toEqual([])
  })

  it('is answered without cancelled calls', async () => {
    await speak('2025-03-26')
    const rules = [{ fault: { type: 'hang' } }]
    const made = { name: 'stuck', scenario: { rules } }
    await answersTo(asking(1, 'tools/call', { name: 'create_sandbox', arguments: made }), 1)
    const given = { sandbox: 'stuck', path: '/api_keys', timeout: '60s' }
    const stuck = asking(2, 'tools/call', { name: 'call_api', arguments: given })
    expect(await answersTo([stuck, asking(3, 'ping')])).toEqual([])
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }
    expect(await answersTo(cancel, 1)).toEqual([[{ jsonrpc: '2.0', id: 3, result: {} }]])
  })

  it('is refused under versions without batches, and before the handshake', async () => {
    await speak('2025-06-18')
    const refused = failed(null, -32600, /^The protocol version 2025-06-18 takes one message a line/)
    expect(await answersTo([asking(1, 'ping')])).toEqual([refused])
    const fresh = launch(['mcp', '--log', 'silent'])
    fresh.child.stdin.end(`${JSON.stringify([asking(1, 'ping')])}\n`)
    expect(JSON.parse((await fresh.ended).out)).toEqual(failed(null, -32600, /initialize/))
  })
})
