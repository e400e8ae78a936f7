import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../src/index.ts'
import { echo, USERS } from '../ngrok/edges/edges.ts'
import { folderWith } from '../support/afterwards.ts'
import { listening } from '../support/http.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server, 0)
  await new Promise(resolve => server.close(resolve))
  return port
}

const listen = (server: Server, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })

describe('A failed start on a used port', () => {
  it('closes its edge ports', async () => {
    const taken = await listening(createServer())
    const edgePort = await freePort()
    const fixture = {
      ...USERS,
      tcp_edges: [{ id: 'edgtcp_a', listen: `127.0.0.1:${edgePort}`, upstream: `127.0.0.1:${await echo()}` }],
    }
    await expect(startSimulator({ port: taken, fixture })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    const server = createServer()
    await expect(listen(server, edgePort)).resolves.toBe(edgePort)
    await new Promise(resolve => server.close(resolve))
  })

  it('releases the database for the next run', async () => {
    const taken = await listening(createServer())
    const db = join(folderWith({}), 'db.json')
    await expect(startSimulator({ port: taken, fixture: USERS, db })).rejects.toMatchObject({ code: 'PORT_IN_USE' })
    const simulator = await startSimulator({ port: 0, fixture: USERS, db })
    await simulator.close()
  })
})
