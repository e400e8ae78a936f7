import { createServer, type RequestListener } from 'node:http'
import { realAlarm } from '../../../src/basics/within.ts'
import type { Time } from '../../../src/ngrok/real-api/connection.ts'
import { listening } from '../../support/http.ts'

export const serve = async (response: RequestListener) => `http://127.0.0.1:${await listening(createServer(response))}`

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
