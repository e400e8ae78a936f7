import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/**
 * node keep.js EXECUTABLE ARGUMENTS…: runs `edgesim exec` until stop.js connects, and sends the exit code to stop.js.
 * start.js starts it, and gets its port and the environment that `exec` sets for its command.
 */

/** The command of `exec`: prints its environment, and ends with its stdin. */
const COMMAND = 'console.log("environment " + JSON.stringify(process.env))\nprocess.stdin.resume()'

const [executable, ...args] = process.argv.slice(2)
const simulator = spawn(executable, [...args, '--', process.execPath, '--eval', COMMAND], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const ended = new Promise(resolve => {
  simulator.once('error', error => resolve(error.message))
  simulator.once('close', code => resolve(code ?? 1))
})
// A simulator that has ended reads nothing.
simulator.stdin.on('error', () => {})

const server = createServer(async socket => {
  server.close()
  simulator.stdin.end()
  socket.end(String(await ended))
})
await once(server.listen(0, '127.0.0.1'), 'listening')

for await (const line of createInterface(simulator.stdout)) {
  if (line.startsWith('environment '))
    process.send({ port: server.address().port, environment: JSON.parse(line.slice('environment '.length)) })
  else console.log(line)
}
const code = await ended
if (typeof code === 'string') console.error(code)
// start.js still waits: the simulator did not start.
if (process.connected) process.exit(1)
