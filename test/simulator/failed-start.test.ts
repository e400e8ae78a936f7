import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startSimulator } from '../../src/index.ts'
import { echo, freePort, tcpEdge, USERS, withEdges } from '../ngrok/edges/edges.ts'
import { folderWith } from '../support/afterwards.ts'
import { listening } from '../support/http.ts'

it('A failed start on a used port closes its edge ports, and releases the database', async () => {
  const taken = await listening(createServer())
  const port = await freePort()
  const edge = tcpEdge(await echo(), { listen: `127.0.0.1:${port}` })
  const db = join(folderWith(), 'db.json')
  const failing = startSimulator({ port: taken, fixture: { ...USERS, ...edge } as never, db })
  await expect(failing).rejects.toMatchObject({ code: 'PORT_IN_USE' })
  expect(await (await withEdges(edge, { db })).portOf('edgtcp_a')).toBe(port)
})
