import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { hasItAlready } from '../../src/cli/commands/exec.ts'
import { watchSignals } from '../../src/cli/process/signals.ts'
import { EDGESIM, launch, startEdgesim } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'
import { alone, childrenOf } from '../support/namespaces.ts'
import { dial } from '../support/raw-http.ts'

/** A request that never ends, which delays the shutdown. */
async function holdOpen(url: string) {
  const { hostname, port } = new URL(url)
  const { socket, heard } = dial(Number(port))
  socket.write(`POST /api_keys HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`)
  await heard
}

it.each([
  ['A second Ctrl-C within a second is ignored', 'SIGINT', [5, 6, 1004, 1005], ['stop']],
  ['A second Ctrl-C after a second ends the process immediately', 'SIGINT', [5, 1006], ['stop', 'give up']],
  ['Ctrl-Break on Windows stops like Ctrl-C', 'SIGBREAK', [5], ['stop']],
])('%s', (_, signal, times, expected) => {
  const signals = new EventEmitter()
  const told: string[] = []
  const orders = { stop: () => told.push('stop'), giveUp: () => told.push('give up') }
  watchSignals(orders, { signals, now: () => times.shift()! })
  while (times.length > 0) signals.emit(signal)
  expect(told).toEqual(expected)
})

it.each([
  ['Ctrl-C at a terminal', 'linux', 'SIGINT', true, true],
  ['a SIGINT from elsewhere', 'linux', 'SIGINT', false, false],
  ['a SIGTERM', 'darwin', 'SIGTERM', true, false],
  ['a console that closes on Windows', 'win32', 'SIGHUP', true, true],
  ['Ctrl-C on Windows with a pipe for stdin', 'win32', 'SIGINT', false, true],
] as const)('After %s (%s), edgesim exec knows whether its command also received it', (_, platform, signal, isTTY, has) =>
  expect(hasItAlready(signal, { platform, stdin: { ...process.stdin, isTTY } as typeof process.stdin })).toBe(has))

describe('A running simulator', () => {
  it.runIf(ALL)('ignores a second signal right after the first', async () => {
    const { ready, child, ended } = await startEdgesim()
    await holdOpen(ready.url)
    child.kill('SIGINT')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  it.runIf(ALL)('returns 3 for unused rules with --fail-on-unused', async () => {
    const { stop } = await startEdgesim(['--scenario', 'outage', '--fail-on-unused'])
    const { code, out } = await stop()
    expect(code).toBe(3)
    expect(out).toMatch(/"level":"error".*"event":"notice"/)
  })

  it.runIf(ALL)('continues if its input is closed', async () => {
    const { child, call } = await startEdgesim()
    child.stdin.end()
    await once(child.stdin, 'close')
    expect((await call('GET', '/api_keys')).status).toBe(200)
  })

  it.runIf(ALL)('continues if its output is closed', async () => {
    const { child, call, stop } = await startEdgesim()
    child.stdout.destroy()
    for (let i = 0; i < 3; i++) expect((await call('GET', '/api_keys')).status).toBe(200)
    expect((await stop()).code).toBe(0)
  })
})

describe.skipIf(!alone)('As process 1 of a container, a command', () => {
  const command = [...(alone ?? []), ...EDGESIM]

  it.runIf(ALL)('returns 143 on SIGTERM unless it serves', async () => {
    const { child, ended } = launch(['validate', '-'], { command })
    // Larger than a pipe buffer, so it is written when the command reads.
    await new Promise(resolve => child.stdin.write(' '.repeat(1_000_000), resolve))
    process.kill(childrenOf(child.pid)[0]!, 'SIGTERM')
    expect(await ended).toMatchObject({ code: 143, out: '' })
  })

  it.runIf(ALL)('returns 0 on SIGTERM if it serves', async () => {
    const { child, ready, ended } = await startEdgesim([], { command })
    expect(ready.pid).toBe(1)
    process.kill(childrenOf(child.pid)[0]!, 'SIGTERM')
    expect((await ended).code).toBe(0)
  })
})
