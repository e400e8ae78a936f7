import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startEdgesim } from '../support/cli.ts'

/** A request that never ends keeps the server from closing at once. */
async function holdOpen(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(`POST /api_keys HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
}

/** Until new connections are refused: the server has begun to close. */
async function closing(url: string) {
  while (
    await fetch(`${url}/_sim/health`).then(
      () => true,
      () => false,
    )
  );
}

describe('A running simulator', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 on %s', async signal => {
    const { stop } = await startEdgesim()
    expect((await stop(signal)).code).toBe(0)
  })

  it('takes a second Ctrl-C at once for the same one', async () => {
    const { ready, child, ended } = await startEdgesim()
    await holdOpen(ready.url)
    child.kill('SIGINT')
    await closing(ready.url)
    child.kill('SIGINT')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  it.each([
    [
      'says which rules never fired',
      [],
      0,
      /"event":"notice","msg":"the rule \\"reads are refused\\" of the scenario \\"outage\\" never fired"/,
    ],
    ['ends with 3 for them when asked to', ['--fail-on-unused'], 3, /"level":"error".*"event":"notice"/],
  ])('%s', async (_, args, code, line) => {
    const { stop } = await startEdgesim(['--scenario', 'outage', ...args])
    const ended = await stop()
    expect(ended.code).toBe(code)
    expect(ended.out).toMatch(line)
  })

  it('goes on when its input is closed', async () => {
    const { child, call } = await startEdgesim()
    child.stdin.end()
    await once(child.stdin, 'close')
    expect((await call('/api_keys')).status).toBe(200)
  })

  it('goes on when nobody reads its output any more', async () => {
    const { child, call, stop } = await startEdgesim()
    child.stdout.destroy()
    for (let i = 0; i < 3; i++) expect((await call('/api_keys')).status).toBe(200)
    expect((await stop()).code).toBe(0)
  })
})
