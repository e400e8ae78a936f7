/**
 * Asks for `/_sim/health` every 5 ms over one connection, in a thread of its own: what the tests do beside it must not
 * be taken for what the simulator does. To each message it answers how long the slowest answer since the last one took.
 */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const EVERY_MS = 5
const REQUEST = 'GET /_sim/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

const socket = connect(workerData.port, '127.0.0.1').setNoDelay()
socket.on('error', error => {
  throw error
})
/** Asks that are still to be made before a message is answered: what it is about may be under way. */
let left = Number.POSITIVE_INFINITY
parentPort.on('message', () => {
  left = 2
})

for (let seen = { longest: 0, answered: 0 }; ; ) {
  const began = performance.now()
  socket.write(REQUEST)
  const answer = await new Promise(resolve => socket.once('data', resolve))
  if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`health was answered with ${answer}`)
  const took = performance.now() - began
  seen.longest = Math.max(seen.longest, took)
  seen.answered++
  if (--left === 0) {
    parentPort.postMessage(seen)
    seen = { longest: 0, answered: 0 }
    left = Number.POSITIVE_INFINITY
  }
  await pause(Math.max(0, EVERY_MS - took))
}
