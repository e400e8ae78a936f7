/**
 * A shared simulator on one machine: several edgesims, and a proxy in front that sends each sandbox to one of them.
 *
 *   node start.js [--simulators 4] [--port 4600] [--proxy nginx|haproxy] [-- options of edgesim]
 *
 * Ctrl-C ends all of them. A simulator that dies is started again on its port, without the sandboxes it had.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { configured, find, proxies } from './proxies.js'

const START_TIMEOUT_MS = 30_000

const { values, positionals } = parseArgs({
  options: {
    simulators: { type: 'string', default: '4' },
    port: { type: 'string', default: '4600' },
    proxy: { type: 'string', default: 'nginx' },
  },
  allowPositionals: true,
})
const proxy = proxies[values.proxy]
if (!proxy) fail(`--proxy is one of ${Object.keys(proxies).join(', ')}, not ${values.proxy}.`)
const program = find(values.proxy)
if (!program) fail(`${values.proxy} was not found. Install it: ${proxy.install}.`)
if (!(Number(values.simulators) >= 1)) fail(`--simulators is a number from 1, not ${values.simulators}.`)

const folder = mkdtempSync(join(tmpdir(), 'edgesim-scale-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const running = new Set()
/** Ports of simulators that have answered once. */
const served = new Set()
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))

const ports = await Promise.all(Array.from({ length: Number(values.simulators) }, freePort))
const port = values.port === '0' ? await freePort() : values.port
await Promise.all(ports.map(startSimulator))
if (await startProxy()) console.log(`edgesim listens on http://127.0.0.1:${port}`)

/** Below the ports that systems assign, so that no other process takes it while a simulator is started again. */
async function freePort() {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    await new Promise(resolve => server.close(resolve))
    if (isFree) return port
  }
}

async function startSimulator(port) {
  const bin =
    process.env.EDGESIM_BIN ??
    join(dirname(fileURLToPath(import.meta.resolve('edgesim/package.json'))), 'bin/edgesim.js')
  const env = { EDGESIM_LOG: 'silent', ...process.env }
  const child = run(process.execPath, [bin, ...positionals, '--port', port], { env })
  child.once('exit', (code, signal) => ended(port, signal ?? code))
  if (!(await answers(port, child))) return
  served.add(port)
  console.log(`simulator on port ${port} (process ${child.pid})`)
}

/** Starts a simulator again, unless it never answered: then starting it again would not help. */
function ended(port, how) {
  if (stopping) return
  if (!served.has(port)) return stop(1, `The simulator on port ${port} did not start.`)
  console.log(`the simulator on port ${port} ended (${how}), and its sandboxes are gone; another takes its place`)
  return startSimulator(port)
}

async function startProxy() {
  if (stopping) return false
  writeFileSync(join(folder, proxy.file), configured(proxy, port, ports))
  const child = run(program, proxy.args, { cwd: folder })
  child.once('exit', () => stop(1, `${values.proxy} ended.`))
  const isUp = await answers(port, child)
  if (isUp) console.log(`${values.proxy} on port ${port} (process ${child.pid}), configured by ${folder}/${proxy.file}`)
  return isUp
}

/** Detached, so that Ctrl-C reaches only this process, which then ends its children. */
function run(program, args, options) {
  const child = spawn(program, args.map(String), {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    ...options,
  })
  running.add(child)
  child.once('error', error => stop(1, `${program} cannot be run: ${error.message}`))
  child.once('exit', () => running.delete(child))
  return child
}

/** Waits until the process answers; false when it ends before. */
async function answers(port, child) {
  const began = performance.now()
  while (running.has(child)) {
    const answer = await fetch(`http://127.0.0.1:${port}/_sim/health`).catch(() => undefined)
    if (answer?.ok) return true
    if (performance.now() - began > START_TIMEOUT_MS)
      await stop(1, `Nothing answers on port ${port} after ${START_TIMEOUT_MS / 1000} s.`)
    await sleep(20)
  }
  return false
}

async function stop(code, why) {
  if (stopping) return
  stopping = true
  if (why) console.error(why)
  for (const child of running) child.kill('SIGTERM')
  while (running.size > 0) await sleep(10)
  process.exit(code)
}

function fail(why) {
  console.error(why)
  process.exit(1)
}
