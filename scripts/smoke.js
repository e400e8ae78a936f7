import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/**
 * node smoke.js FOLDER: tests each feature of the installed package once in this Node, which loads every chunk.
 * node smoke.js FILE: tests the executable, without a library, an empty PATH and a read-only home.
 */
const given = resolve(process.argv[2])
const installed = statSync(given).isDirectory() ? given : undefined
const [program, ...before] = installed ? [process.execPath, join(installed, 'bin/edgesim.js')] : [given]
const env = installed ? process.env : { ...process.env, PATH: '', HOME: '/proc' }
const folder = mkdtempSync(join(tmpdir(), 'edgesim-smoke-'))
const auth = { authorization: 'Bearer mine', 'service-version': '2', 'content-type': 'application/json' }

const children = []

function edgesim(args, options) {
  const child = spawn(program, [...before, ...args], { cwd: folder, env, ...options })
  child.stderr?.pipe(process.stderr)
  children.push(child)
  return child
}

async function start(args) {
  const child = edgesim([...args, '--port', '0', '--log', 'json'])
  const [line] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    once(child, 'exit').then(([code]) => assert.fail(`edgesim ended with code ${code}`)),
  ])
  return { child, ...JSON.parse(line.split('\n')[0]) }
}

async function end(child, signal) {
  child.kill(signal)
  return once(child, 'exit')
}

async function run(...args) {
  const child = edgesim(args, { stdio: ['ignore', 'ignore', 'inherit'] })
  assert.equal((await once(child, 'exit'))[0], 0, args.join(' '))
}

/** Calls a tool like an agent, and checks that the server ends with its stdin. */
async function talkToAgentServer() {
  const child = edgesim(['mcp', '--log', 'silent'])
  const clientInfo = { name: 'smoke', version: '1' }
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'call_api', arguments: { path: '/api_keys' } } },
  ]
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    if (output.includes('"id":2}')) child.stdin.end()
  }
  assert.match(output, /"status":200/)
  assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 0)
}

let failed = 0

/** Tests one feature and prints the result. Continues after a failure. */
async function step(name, tryIt) {
  try {
    await tryIt()
    console.log(`ok      ${name}`)
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${name}: ${inspect(error)}`)
  }
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL')
}

try {
  writeFileSync(
    join(folder, 'my.yaml'),
    'users: [{ id: usr_me, admin: true }]\napi_keys: [{ id: ak_me, token: mine }]\n',
  )
  await step('the API, the control API, the dashboard', async () => {
    const { child, url } = await start(['my.yaml', '--db', 'db.json'])
    const made = await fetch(`${url}/api_keys`, { method: 'POST', headers: auth, body: '{"description":"kept"}' })
    assert.equal(made.status, 201)
    assert.equal((await (await fetch(`${url}/_sim/db/api_keys?_sort=-id`)).json()).length, 2)
    assert.equal((await fetch(`${url}/_sim/`)).status, 200)
    assert.equal((await fetch(`${url}/_sim/openapi.json`)).status, 200)
    await end(child, 'SIGKILL')
  })
  await step('--db after a kill, a scenario, the end by a signal', async () => {
    const { child, url } = await start(['my.yaml', '--db', 'db.json', '--scenario', 'slow-network'])
    const { keys } = await (await fetch(`${url}/api_keys`, { headers: auth })).json()
    assert.equal(keys.length, 2)
    // Windows has no signals, so the process is killed, and `--db` must survive that.
    assert.deepEqual(await end(child, 'SIGTERM'), process.platform === 'win32' ? [null, 'SIGTERM'] : [0, null])
  })
  await step('a filter, an edge with traffic', async () => {
    const upstream = createServer((_req, res) => res.end('from behind')).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    const fixture = {
      users: [{ id: 'usr_me', admin: true }],
      api_keys: [{ id: 'ak_me', token: 'mine' }],
      tcp_edges: [{ id: 'edgtcp_me', listen: '127.0.0.1:0', upstream: `127.0.0.1:${upstream.address().port}` }],
    }
    writeFileSync(join(folder, 'edge.json'), JSON.stringify(fixture))
    const { child, url, edges } = await start(['edge.json'])
    const filter = encodeURIComponent('obj.id == "ak_other"')
    assert.deepEqual((await (await fetch(`${url}/api_keys?filter=${filter}`, { headers: auth })).json()).keys, [])
    const address = edges[0].url.replace('tcp:', 'http:')
    assert.equal(await (await fetch(address, { headers: { connection: 'close' } })).text(), 'from behind')
    await end(child, 'SIGTERM')
    upstream.close()
  })
  if (installed)
    await step('the library, HTTPS', async () => {
      const { startSimulator } = await import(pathToFileURL(join(installed, 'dist/index.js')).href)
      const sim = await startSimulator({ tls: true })
      const sandbox = await sim.sandbox()
      await sandbox.useScenario('outage')
      assert.deepEqual(await sandbox.requests(), [])
      await sim[Symbol.asyncDispose]()
    })
  await step('edgesim mcp', talkToAgentServer)
  await step('edgesim exec', () =>
    run('exec', '--tls', '--', process.execPath, '-e', 'fetch(process.env.EDGESIM_URL + "/_sim/health")'),
  )
  await step('edgesim exec --as', () =>
    run('exec', '--as', 'api.ngrok.com', '--', process.execPath, '-e', 'fetch("https://api.ngrok.com/")'),
  )
  await step('edgesim init, validate', async () => {
    await run('init')
    await run('validate', 'edgesim/fixture.yaml', 'edgesim/scenarios/first-write-fails.yaml')
  })
  console.log(`Node ${process.version}: ${failed === 0 ? 'fine' : `${failed} failed`}`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
