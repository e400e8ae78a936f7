import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { json, text } from 'node:stream/consumers'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { Ngrok } from '@ngrok/ngrok-api'
import axios from 'axios'
import axios0 from 'axios-0'
import nodeFetch from 'node-fetch'
import nodeFetch2 from 'node-fetch-2'
import superagent from 'superagent'
import * as undici from 'undici'
import * as undici5 from 'undici-5'
import { getWithFetch, HOST, headersFor, walk } from './walk.js'

// Reads keys with every client in turn, and prints the keys and the journal of each.

const withGet =
  (module, options = {}) =>
  (url, headers) =>
    new Promise((resolve, reject) => {
      module.get(url, { headers, ...options }, res => json(res).then(resolve, reject)).on('error', reject)
    })

const withFetch =
  (fetch, options = {}) =>
  async (url, headers) =>
    (await fetch(url, { headers, ...options })).json()

const withRequest =
  ({ request }, options = {}) =>
  async (url, headers) =>
    (await request(url, { headers, ...options })).body.json()

/** Writes HTTP to an open connection. */
const withSocket = connect => async (url, headers) => {
  const { pathname, search } = new URL(url)
  const socket = await connect()
  const fields = Object.entries({ ...headers, host: HOST, connection: 'close' })
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  const [head, body] = (await text(socket)).split('\r\n\r\n')
  return head.startsWith('HTTP/1.1 200 ') ? JSON.parse(body) : Promise.reject(new Error(head))
}

async function connected(socket, event) {
  await once(socket, event)
  return socket
}

const file = name => fileURLToPath(new URL(name, import.meta.url))
const keepAlive = new https.Agent({ keepAlive: true })
const reading = get => sandbox => walk(sandbox, get)

const clients = {
  fetch: reading(getWithFetch),
  'https.get': reading(withGet(https)),
  'https.get with an agent that keeps connections': reading(withGet(https, { agent: keepAlive })),
  'https.get without an agent': reading(withGet(https, { agent: false })),
  'http.get': sandbox => walk(sandbox, withGet(http), 'http'),
  axios: reading(async (url, headers) => (await axios.get(url, { headers })).data),
  'axios with fetch': reading(async (url, headers) => (await axios.get(url, { headers, adapter: 'fetch' })).data),
  'axios without its proxy': reading(async (url, headers) => (await axios.get(url, { headers, proxy: false })).data),
  'axios 0.21': reading(async (url, headers) => (await axios0.get(url, { headers })).data),
  'node-fetch 2': reading(withFetch(nodeFetch2)),
  'node-fetch 3': reading(withFetch(nodeFetch)),
  'undici 5 fetch': reading(withFetch(undici5.fetch)),
  'undici 5 request': reading(withRequest(undici5)),
  'undici 7 fetch': reading(withFetch(undici.fetch)),
  'undici 7 request': reading(withRequest(undici)),
  'undici 7 with the proxy of the environment': reading(
    withRequest(undici, { dispatcher: new undici.EnvHttpProxyAgent() }),
  ),
  superagent: reading(async (url, headers) => (await superagent.get(url).set(headers)).body),
  async 'the vendor’s SDK'(sandbox) {
    const [, apiToken] = headersFor(sandbox).authorization.split(' ')
    const keys = await new Ngrok({ apiToken }).apiKeys.list(undefined, '1')
    return { ids: keys.map(({ id }) => id), uris: keys.map(({ uri }) => uri) }
  },
  async 'a worker thread'(workerData) {
    const [found] = await once(new Worker(file('fetch.js'), { workerData }), 'message')
    return found
  },
  async 'a child process'(sandbox) {
    return JSON.parse((await promisify(execFile)(process.execPath, [file('fetch.js'), sandbox])).stdout)
  },
  'tls.connect': reading(withSocket(() => connected(tls.connect(443, HOST), 'secureConnect'))),
  'tls.connect on a socket of net.connect': reading(
    withSocket(async () => {
      const socket = await connected(net.connect(443, HOST), 'connect')
      return connected(tls.connect({ socket, servername: HOST }), 'secureConnect')
    }),
  ),
  // The simulator offers only HTTP/1.1 in the handshake.
  'node:http2': sandbox =>
    new Promise((resolve, reject) => {
      const session = http2.connect(`https://${HOST}`).on('error', reject)
      session
        .request({ ':path': '/api_keys', ...headersFor(sandbox) })
        .on('response', resolve)
        .on('error', reject)
    }),
}

async function journalOf(sandbox) {
  const res = await fetch(`${process.env.EDGESIM_URL}/_sim/sandboxes/${sandbox}/requests`)
  if (!res.ok) return []
  return (await res.json()).requests.map(({ source_ip, status, request }) => ({
    source_ip,
    status,
    host: request.headers.host,
  }))
}

const results = {}
for (const [index, [name, read]] of Object.entries(clients).entries()) {
  const sandbox = `client-${index}`
  try {
    const found = await read(sandbox)
    results[name] = { ...found, journal: await journalOf(sandbox) }
  } catch (error) {
    results[name] = { error: error.cause?.message ?? (error.message || error.code) }
  }
}
keepAlive.destroy()
console.log(JSON.stringify({ node: process.version, noLookup: process.noLookup ?? false, results }))
// A client may keep connections open.
process.exit()
