/** The command of each server, and equivalent data. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '../..')
const module = path => join(here, 'node_modules', path)
export const edgesim = join(root, 'bin/edgesim.js')
export const HEADERS = { authorization: 'Bearer sim_admin', 'service-version': '2' }

const key = i => ({
  id: `ak_${String(i).padStart(8, '0')}`,
  created_at: '2026-01-01T00:00:00Z',
  description: `Key number ${i}`,
  metadata: JSON.stringify({ index: i, note: 'x'.repeat(200) }),
  owner_id: 'usr_admin',
})

/** Files with that many keys: an edgesim fixture, and equivalent data for json-server. */
export function dataOf(folder, count) {
  const admin = { id: 'ak_admin', created_at: '2026-01-01T00:00:00Z', description: 'Admin', owner_id: 'usr_admin' }
  const keys = [admin, ...Array.from({ length: count - 1 }, (_, i) => key(i + 1))]
  const [fixture, plain] = [join(folder, `fixture-${count}.json`), join(folder, `plain-${count}.json`)]
  const api_keys = [{ ...admin, token: 'sim_admin' }, ...keys.slice(1)]
  writeFileSync(fixture, JSON.stringify({ users: [{ id: 'usr_admin', admin: true }], api_keys }))
  const shown = keys.map(each => ({ ...each, uri: `http://127.0.0.1:4600/api_keys/${each.id}`, token: null }))
  writeFileSync(plain, JSON.stringify({ api_keys: shown }))
  return { fixture, plain }
}

const hasJava = spawnSync('java', ['-version']).status === 0

function mockoonFile(folder, port) {
  const body = '{"id":"{{urlParam \'id\'}}","created_at":"2026-01-01T09:00:00Z","owner_id":"usr_admin","token":null}'
  const response = { uuid: randomUUID(), body, latency: 0, statusCode: 200, label: '', default: true, rules: [] }
  const headers = [{ key: 'Content-Type', value: 'application/json' }]
  const route = { uuid: randomUUID(), type: 'http', method: 'get', endpoint: 'api_keys/:id', documentation: '' }
  const routes = [{ ...route, responses: [{ ...response, headers, bodyType: 'INLINE', rulesOperator: 'OR' }] }]
  const file = join(folder, 'mockoon.json')
  const environment = { uuid: randomUUID(), lastMigration: 33, name: 'bench', endpointPrefix: '', latency: 0, port }
  const rootChildren = [{ type: 'route', uuid: route.uuid }]
  writeFileSync(file, JSON.stringify({ ...environment, hostname: '', folders: [], routes, rootChildren, headers: [] }))
  return file
}

function wiremockFolder(folder) {
  const path = join(folder, 'wiremock')
  mkdirSync(join(path, 'mappings'), { recursive: true })
  const jsonBody = { id: 'ak_admin', created_at: '2026-01-01T09:00:00Z', owner_id: 'usr_admin', token: null }
  const mapping = { request: { method: 'GET', urlPathPattern: '/api_keys/.*' }, response: { status: 200, jsonBody } }
  writeFileSync(join(path, 'mappings/keys.json'), JSON.stringify(mapping))
  return path
}

function openapiFile(folder) {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, execFileSync(process.execPath, [edgesim, 'openapi']))
  return file
}

export const node = (...args) => [process.execPath, args]

/** Takes a kind, a port, and for a proxy the port of its upstream. */
export const reference = (...args) => node(join(here, 'reference.js'), ...args)

/** Commands by name. They take a folder, a port and the number of keys. */
export const servers = {
  'bare node:http': (_folder, port) => reference('bare', port),
  'Express 5': (_folder, port) => reference('express', port),
  'json-server 1.0 beta': (folder, port, count) =>
    node(module('json-server/lib/bin.js'), dataOf(folder, count).plain, '--port', port, '--host', '127.0.0.1'),
  'json-server 0.17': (folder, port, count) =>
    node(module('json-server-0/lib/cli/bin.js'), dataOf(folder, count).plain, '--port', port, '--quiet'),
  Prism: (folder, port) =>
    node(module('@stoplight/prism-cli/dist/index.js'), 'mock', openapiFile(folder), '-p', port, '-v', 'silent'),
  Mockoon: (folder, port) =>
    node(module('@mockoon/cli/bin/run.js'), 'start', '--data', mockoonFile(folder, port), '--disable-log-to-file'),
  ...(hasJava && {
    WireMock: (folder, port) => {
      const jar = readdirSync(module('wiremock/build')).find(name => name.endsWith('.jar'))
      const args = ['--port', port, '--root-dir', wiremockFolder(folder), '--disable-banner', '--no-request-journal']
      return ['java', ['-jar', module(`wiremock/build/${jar}`), ...args]]
    },
  }),
  edgesim: (folder, port, count, flags = []) =>
    node(edgesim, dataOf(folder, count).fixture, '--port', port, '--log', 'silent', ...flags),
}

// Extra certificates would slow the startup.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
export const cleanEnv = env

const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => process.exit(code))

/** Some servers do not support port 0 or do not print their port. */
async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Starts a server and waits for its first response. */
export async function start(name, folder, { count = 10, flags, stdio = 'ignore', command } = {}) {
  const port = await freePort()
  const [program, args] = command?.(port) ?? servers[name](folder, port, count, flags)
  const began = performance.now()
  const child = spawn(program, args.map(String), { env, stdio, cwd: folder })
  running.add(child)
  let gone = false
  const exited = new Promise(resolve => child.once('exit', resolve)).then(() => {
    gone = true
    running.delete(child)
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  const url = `http://127.0.0.1:${port}`
  while ((await ask(`${url}/api_keys/ak_admin`)) !== 200) {
    if (gone) throw new Error(`${name} ended before it answered: ${program} ${args.join(' ')}`)
    if (performance.now() - began > 60_000) {
      await stop()
      throw new Error(`${name} did not answer within a minute`)
    }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  const startMs = performance.now() - began
  return { name, url, port, child, startMs, stop }
}

const ask = url =>
  new Promise(resolve => {
    const req = get(url, { headers: HEADERS, agent: false }, res => {
      res.resume()
      resolve(res.statusCode)
    })
    req.on('error', () => resolve(0))
  })
