import { describe, expect, it } from 'vitest'
import { launch } from '../../support/as-process.ts'

/** One process for all tests. Each test waits for its own responses. */
const { child, printed } = launch(['mcp', '--log', 'silent'])

let pings = 0

/** At least `count` responses to a line, until the response to a later ping. */
async function answersTo(line: unknown, count = 0): Promise<unknown[]> {
  const ping = `ping ${++pings}`
  const from = printed.out.length
  const text = typeof line === 'string' ? line : JSON.stringify(line)
  child.stdin.write(`${text}\n${JSON.stringify(asking(ping, 'ping'))}\n`)
  const lines = () => printed.out.slice(from).split('\n').slice(0, -1)
  const isPing = (response: string) => response.includes(`"id":"${ping}"`)
  await expect.poll(() => lines().some(isPing) && lines().length > count).toBe(true)
  return lines()
    .filter(response => !isPing(response))
    .map(response => JSON.parse(response))
}

const asking = (id: unknown, method: unknown, params?: unknown) => ({ jsonrpc: '2.0', id, method, params })
const failed = (id: unknown, code: number, message: RegExp) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.stringMatching(message) },
})

const calling = (params: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`
const MANY = calling(`{"name":"reset","arguments":{${'"a":0,'.repeat(600_000)}"b":0}}`)
const DEEP = calling(`${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}`)

describe('A message that is not JSON-RPC', () => {
  it.each<[what: string, line: unknown, answer: object]>([
    ['invalid JSON', 'this is not the protocol', failed(null, -32700, /^Invalid JSON: /)],
    ['half a message', '{"jsonrpc":"2.0","id":7,', failed(null, -32700, /^Invalid JSON: /)],
    ['an unknown version', { ...asking(7, 'ping'), jsonrpc: '1.0' }, failed(7, -32600, /"2\.0"/)],
    ['no version', { id: 'seven', method: 'ping' }, failed('seven', -32600, /"2\.0"/)],
    ['a method that is not a string', asking(7, 7), failed(7, -32600, /method/)],
    ['no method', { jsonrpc: '2.0', id: 7 }, failed(7, -32600, /method/)],
    ['an unknown field', { ...asking(7, 'ping'), more: 1 }, failed(7, -32600, /no other fields/)],
    ['a null id', asking(null, 'ping'), failed(null, -32600, /id/)],
    ['an object as id', asking({}, 'ping'), failed(null, -32600, /id/)],
    ['a value that is not an object', 7, failed(null, -32600, /JSON-RPC 2\.0/)],
    ['a list of messages', [asking(7, 'ping')], failed(null, -32600, /Send one message per line/)],
    ['nothing', {}, failed(null, -32600, /JSON-RPC 2\.0/)],
    ['a string as params', asking(7, 'ping', 'x'), failed(7, -32602, /^params /)],
    ['a list as params', asking(7, 'tools/list', []), failed(7, -32602, /^params /)],
    ['params of the wrong type', asking(7, 'tools/call', { name: 5 }), failed(7, -32602, /params\.name: .*string/)],
    ['missing params', asking(7, 'resources/read'), failed(7, -32602, /params: .*object/)],
    ['a fractional id', asking(1.5, 'ping'), failed(null, -32600, /id must be a string or an integer/)],
    ['an id out of range', asking(1e308, 'ping'), failed(null, -32600, /id must be a string or an integer/)],
    ['too many arguments', MANY, failed(null, -32600, /"params.arguments" in the message exceeds .* 1000 fields/)],
    ['arguments nested too deeply', DEEP, failed(null, -32600, /exceeds the limit of 25 levels/)],
    ['an unknown method', asking(7, 'tools/cal', {}), failed(7, -32601, /not found/)],
  ])('returns the error for %s', async (_, line, response) => {
    expect(await answersTo(line)).toEqual([response])
  })

  it.each<[what: string, line: unknown]>([
    ['a notification with wrong params', { jsonrpc: '2.0', method: 'notifications/initialized', params: 7 }],
    ['a response without a request', { jsonrpc: '2.0', id: 7, result: {} }],
    ['an invalid response', { jsonrpc: '2.0', id: 7, result: 7 }],
    ['an empty line', ' '],
  ])('gets no response if it is %s', async (_, line) => {
    expect(await answersTo(line)).toEqual([])
  })
})
