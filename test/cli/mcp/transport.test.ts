import { PassThrough, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LineTransport } from '../../../src/cli/mcp/transport.ts'

it('The server stops reading while its client does not read', async () => {
  const input = new PassThrough()
  const unread: (() => void)[] = []
  const output = new Writable({ highWaterMark: 100, write: (_chunk, _encoding, done) => void unread.push(done) })
  const transport = new LineTransport({ input, output, maxLineBytes: 1_000, onTrouble() {} })
  let received = 0
  transport.onmessage = () => {
    received++
    void transport.send({ jsonrpc: '2.0', id: received, result: { text: 'x'.repeat(60) } })
  }
  await transport.start()
  for (let id = 0; id < 1_000; id++) {
    input.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)
    await setImmediate()
  }
  expect(received).toBeLessThan(10)
  while (received < 1_000) {
    unread.splice(0).forEach(done => void done())
    await setImmediate()
  }
})
