import { once } from 'node:events'
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { within } from '../../src/basics/within.ts'
import { sendRequest } from '../../src/server/http/send-request.ts'
import { afterwards } from '../support/afterwards.ts'
import { listening } from '../support/http.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const server = createServer()
const url = `http://127.0.0.1:${await listening(server)}`

const sendUnanswered = (signal: AbortSignal) => sendRequest({ url }, { method: 'GET', path: '/', signal })

it('Work ends when its time is over, even after a garbage collection', async () => {
  const collecting = setInterval(collect, 5)
  const warnings: Error[] = []
  const warned = (warning: Error) => void warnings.push(warning)
  process.on('warning', warned)
  afterwards(() => {
    clearInterval(collecting)
    process.off('warning', warned)
  })
  const outer = new AbortController()
  const pending = Array.from({ length: 20 }, () => within(50, sendUnanswered, { outer: outer.signal }))
  for (const each of pending) await expect(each).rejects.toThrow('aborted')
  expect(warnings).toEqual([])
})

it('Work ends when the outer signal aborts it, before its time is over', async () => {
  const outer = new AbortController()
  const arrived = once(server, 'request')
  const pending = within(3_600_000, sendUnanswered, { outer: outer.signal })
  await arrived
  outer.abort()
  await expect(pending).rejects.toThrow('aborted')
  await expect(within(3_600_000, async signal => signal.aborted, { outer: outer.signal })).resolves.toBe(true)
})
