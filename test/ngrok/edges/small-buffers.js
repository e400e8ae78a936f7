/**
 * Transfers through TCP edges to slow clients, `small-buffers.js EDGESIM COUNT`. With small
 * socket buffers, the edge still holds much data when its upstream has closed. Prints the lost bytes.
 */
import { connect, createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { generate } from 'selfsigned'

const [edgesim, count] = process.argv.slice(2)
const { startSimulator } = await import(pathToFileURL(edgesim).href)
const SIZE = 150_000

const listen = server => new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))

const respond = socket => socket.on('error', () => {}).once('data', () => socket.end(Buffer.alloc(SIZE, 'x')))

/** The bytes received by a client that reads slowly, until the connection ends. */
function transfer({ host, port }, ask) {
  return new Promise(resolve => {
    let got = 0
    const socket = connect({ host, port, allowHalfOpen: true }, () => ask(socket))
    socket.on('data', chunk => {
      got += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 10)
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => {}).on('close', () => resolve(got))
  })
}

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec' })
const plain = createServer({ allowHalfOpen: true }, respond)
const secure = createTlsServer({ key, cert }, respond)
const address = async server => `127.0.0.1:${await listen(server)}`
const sim = await startSimulator({
  fixture: {
    users: [{ id: 'usr_a', admin: true }],
    api_keys: [{ id: 'ak_a', owner_id: 'usr_a', token: 'sim_admin' }],
    backends: [{ id: 'bkdsc_tls', address: await address(secure), tls: { enabled: true } }],
    tcp_edges: [
      { id: 'edgtcp_plain', listen: '127.0.0.1:0', upstream: await address(plain) },
      { id: 'edgtcp_tls', listen: '127.0.0.1:0', backend: { backend_id: 'bkdsc_tls' } },
    ],
  },
})
const lost = {}
for (const [name, edge, ask] of [
  ['plain', 'edgtcp_plain', socket => socket.write('go')],
  ['half-closed', 'edgtcp_plain', socket => socket.end('go')],
  ['tls', 'edgtcp_tls', socket => socket.write('go')],
]) {
  const at = await sim.default.edge(edge)
  const got = await Promise.all(Array.from({ length: Number(count) }, () => transfer(at, ask)))
  lost[name] = got.filter(bytes => bytes !== SIZE).length
}
console.log(JSON.stringify(lost))
await sim.close()
plain.close()
secure.close()
