/**
 * Reference servers, `reference.js KIND PORT`: bare node:http and Express, and for edges a pipe and httpxy, all as in
 * their manuals. A pipe and httpxy also take the port of their upstream.
 */
import { Agent, createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'

const [kind, port, upstream] = process.argv.slice(2)
const key = {
  id: 'ak_admin',
  uri: `http://127.0.0.1:${port}/api_keys/ak_admin`,
  created_at: '2026-01-01T09:00:00Z',
  description: "The admin's key",
  metadata: '{"environment":"local"}',
  owner_id: 'usr_admin',
  token: null,
}

async function bodyOf(req) {
  let text = ''
  for await (const chunk of req) text += chunk
  return JSON.parse(text)
}

async function bare(req, res) {
  const created = req.method === 'POST' ? { ...key, ...(await bodyOf(req)) } : key
  const text = JSON.stringify(created)
  res.writeHead(created === key ? 200 : 201, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  res.end(text)
}

/** Endless bytes without HTTP, to measure only the proxy. */
function pour(socket) {
  const block = Buffer.alloc(256 * 1024, 'edge')
  const more = () => {
    while (socket.write(block));
  }
  socket.on('error', () => {}).on('drain', more)
  socket.write('HTTP/1.1 200 OK\r\n\r\n')
  more()
}

/** Minimal as in manuals, but survives a client that disconnects. */
function pipe(client) {
  const server = connect(Number(upstream), '127.0.0.1')
  client.on('error', () => server.destroy())
  server.on('error', () => client.destroy())
  client.pipe(server)
  server.pipe(client)
}

const kinds = {
  bare: () => createServer(bare),
  upstream: () => createServer((req, res) => (req.url === '/bytes' ? pour(req.socket) : bare(req, res))),
  pipe: () => createTcpServer(pipe),
  async httpxy() {
    // Renamed, because knip takes names that begin with http for URLs.
    const { createProxyServer } = await import('bare-httpxy')
    const proxy = createProxyServer({})
    const options = { target: `http://127.0.0.1:${upstream}`, agent: new Agent({ keepAlive: true }) }
    return createServer((req, res) => proxy.web(req, res, options))
  },
  async express() {
    const { default: express } = await import('express')
    const app = express()
    app.get('/api_keys/:id', (_req, res) => res.json(key))
    return app
  },
}
const server = await kinds[kind]()
server.listen(Number(port), '127.0.0.1')
