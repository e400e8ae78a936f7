import type { ChildProcess } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launch, program, projectWith, startEdgesim } from '../../support/as-process.ts'
import { listening } from '../../support/http.ts'
import { ALL } from '../../support/long.ts'
import { agentOf } from './agent.ts'

const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const asking = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params })
const HELLO = [asking(1, 'initialize', CLIENT), { jsonrpc: '2.0', method: 'notifications/initialized' }]
const calling = (id: number, name: string, given: object) => asking(id, 'tools/call', { name, arguments: given })
const lines = (messages: object[]) => messages.map(each => `${JSON.stringify(each)}\n`).join('')
const HANG = { scenario: { rules: [{ fault: { type: 'hang' } }] } }
const leftBy = (pid: number) => readdirSync(tmpdir()).filter(name => name.startsWith(`edgesim-${pid}-`))

const parsed = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

async function rawSession(args: string[] = []) {
  const { child, printed, ended } = launch(['mcp', ...args])
  const said = () => parsed(printed.out)
  const answerTo = async (id: number) => {
    await expect.poll(() => printed.out.includes(`"id":${id}}`)).toBe(true)
    return said().find(message => message.id === id)
  }
  child.stdin.on('error', () => {}).write(lines(HELLO))
  await answerTo(1)
  return { child, printed, ended, said, answerTo }
}

describe('An MCP session', () => {
  it('writes only the protocol to stdout, and the log to stderr', async () => {
    const { child, printed, ended, answerTo, said } = await rawSession(['--log', 'json'])
    child.stdin.write(lines([calling(2, 'call_api', { path: '/api_keys' })]))
    expect((await answerTo(2)).result.structuredContent).toMatchObject({ status: 200 })
    child.stdin.write('this is not the protocol\n{"jsonrpc":"1.0"}\n[]\n')
    child.stdin.write(lines([calling(3, 'simulator_info', {})]))
    expect((await answerTo(3)).result.content[0].text).toMatch(/^edgesim \d/)
    child.stdin.end()
    expect((await ended).code).toBe(0)
    for (const message of said()) expect(message.jsonrpc).toBe('2.0')
    const log = parsed(printed.err)
    expect(log[0]).toMatchObject({ event: 'ready', fixture: 'default' })
    expect(log).toContainEqual(expect.objectContaining({ event: 'request', path: '/api_keys', status: 200 }))
    const warned = log.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
    expect(warned).toEqual([
      expect.stringMatching(/^Invalid JSON from the client: ./),
      'The client sent an invalid JSON-RPC 2.0 message.',
      'The client sent an invalid JSON-RPC 2.0 message.',
    ])
  })

  it.runIf(ALL)('ends when its client disconnects during a call, without leftovers', async () => {
    const { child, ended, answerTo, printed } = await rawSession(['--tls'])
    child.stdin.write(lines([calling(2, 'create_sandbox', { name: 'stuck', ...HANG })]))
    expect((await answerTo(2)).result.structuredContent).toMatchObject({ name: 'stuck' })
    child.stdin.write(lines([calling(3, 'call_api', { sandbox: 'stuck', path: '/api_keys', timeout: '60s' })]))
    child.stdin.write(lines([calling(4, 'list_requests', { sandbox: 'stuck' })]))
    await answerTo(4)
    expect(leftBy(child.pid!)).not.toEqual([])
    child.stdin.end()
    const { code, err } = await ended
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('Internal error') })
    expect(printed.out).not.toContain('"id":3}')
    expect(leftBy(child.pid!)).toEqual([])
  })

  it('ends on SIGTERM', async () => {
    const { child, ended } = await rawSession()
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it.runIf(ALL)('ends with an error after a message over the size limit', async () => {
    const { child, ended } = await rawSession(['--log', 'silent'])
    child.stdin.write(lines([calling(2, 'set_state', { state: { users: [{ id: 'x'.repeat(11 * 1024 * 1024) }] } })]))
    const err = 'edgesim: Stopping: a message of the client exceeds 10 MB.\n'
    expect(await ended).toMatchObject({ code: 1, err })
  })

  it.runIf(ALL)('ends when its output is closed', async () => {
    const { child, ended } = await rawSession(['--log', 'silent'])
    child.stdout.destroy()
    child.stdin.write(lines([calling(2, 'get_clock', {}), calling(3, 'simulator_info', {})]))
    expect((await ended).code).toBe(0)
  })

  it.runIf(ALL).each<[string, (child: ChildProcess) => unknown]>([
    ['its client disconnects', child => child.stdin!.end()],
    ['it receives SIGTERM', child => child.kill('SIGTERM')],
  ])('ends when %s, even if the simulator does not respond', async (_, end) => {
    let asked = 0
    const port = await listening(createServer(() => void asked++))
    const { child, ended } = await rawSession(['--url', `http://127.0.0.1:${port}`])
    await expect.poll(() => asked).toBe(1)
    end(child)
    expect((await ended).code).toBe(0)
  })

  it.runIf(ALL)('stops calls that its client cancels', async () => {
    const { client, call } = await agentOf(['--all-tools', '--log', 'silent'])
    await call('create_sandbox', { name: 'stuck', ...HANG })
    const cancel = new AbortController()
    const given = { sandbox: 'stuck', path: '/api_keys', timeout: '60s' }
    const asked = client.callTool({ name: 'call_api', arguments: given }, undefined, { signal: cancel.signal })
    const latest = async () => (await call('list_requests', { sandbox: 'stuck' })).data.requests[0]
    await expect.poll(latest).toMatchObject({ path: '/api_keys', explanation: null })
    cancel.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(latest).toMatchObject({ explanation: { text: expect.any(String) } })
  })
})

describe('Two agents with one simulator', async () => {
  const { ready } = await startEdgesim(['--control-token', 'shared-secret'])
  const there = ['--url', ready.url]
  const env = { EDGESIM_CONTROL_TOKEN: 'shared-secret' }

  it.runIf(ALL)('have separate sandboxes, and leave it running', async () => {
    const [ada, bob] = await Promise.all([
      agentOf([...there, '--all-tools', '--sandbox', 'ada'], { env }),
      agentOf([...there, '--all-tools', '--control-token', 'shared-secret', '--sandbox', 'bob']),
    ])
    const make = (description: string) => ({ method: 'POST', path: '/api_keys', body: { description } })
    await Promise.all([
      ada.call('call_api', make('of ada')),
      bob.call('use_scenario', { scenario: { name: 'outage' } }),
    ])
    expect((await bob.call('call_api', make('of bob'))).text).toMatch(/^No response: .*connection reset/)
    const descriptions = async (agent: typeof ada) =>
      (await agent.call('get_state')).data.api_keys.map((each: { description?: string }) => each.description)
    expect(await descriptions(ada)).toContain('of ada')
    expect(await descriptions(bob)).not.toContain('of ada')
    expect((await ada.call('list_requests')).text).toMatch(/^1 request,/)
    expect((await ada.call('get_scenario')).text).toMatch(/^Scenario: none\./)
    const seen = await bob.call('list_sandboxes')
    expect(seen.data.sandboxes.map((each: { name: string }) => each.name).sort()).toEqual(['ada', 'bob', 'default'])
    expect(seen.raw + (await bob.call('simulator_info')).raw).not.toContain('shared-secret')
    await ada.client.close()
    expect((await bob.call('get_state', { sandbox: 'ada' })).isError).toBe(false)
  })

  it.runIf(ALL)('get an error while it is down, and work again when it is back', async () => {
    const first = await startEdgesim([])
    const agent = await agentOf(['--url', first.ready.url, '--all-tools'])
    await agent.call('save_snapshot', { name: 'kept' })
    await first.stop()
    const failed = async (says: RegExp) =>
      expect(await agent.call('list_snapshots')).toMatchObject({ isError: true, text: expect.stringMatching(says) })
    await failed(/^Cannot reach the simulator at http:\S+: .*ECONNREFUSED/)
    await launch(['--port', new URL(first.ready.url).port, '--log', 'json']).until(/"ready"/)
    await failed(/If the simulator was restarted, the sandbox no longer exists/)
    expect((await agent.call('list_snapshots')).text).toBe('0 snapshots.')
  })
})

it.runIf(ALL)('The MCP code is in a separate chunk', async () => {
  const project = await projectWith()
  const command = program(project, 'edgesim/bin/edgesim.js')
  const chunks = join(project, 'node_modules/edgesim/dist/program')
  const own = readdirSync(chunks).filter(name => /^mcp-.*\.cjs$/.test(name))
  expect(own).toHaveLength(1)
  rmSync(join(chunks, own[0]!))
  const { call, stop } = await startEdgesim([], { command })
  expect(await call('GET', '/_sim/control.json')).toMatchObject({ status: 200 })
  await stop()
  expect((await launch(['mcp'], { command }).ended).code).toBe(1)
})
