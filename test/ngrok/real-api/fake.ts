import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { realAlarm } from '../../../src/basics/within.ts'
import type { Time } from '../../../src/ngrok/real-api/connection.ts'
import { afterwards } from '../../support/afterwards.ts'

export async function serve(response: RequestListener): Promise<string> {
  const server = createServer(response).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  afterwards(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A clock that advances only during waits. */
export function timeOf(waits: number[] = []): Time {
  let now = 0
  return {
    now: () => now,
    async wait(ms) {
      waits.push(ms)
      now += ms
    },
    alarm: realAlarm,
  }
}
