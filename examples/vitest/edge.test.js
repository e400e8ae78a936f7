import { createServer } from 'node:http'
import { expect, test } from 'edgesim/vitest'

/** The code under test, reached through an edge: answers with the headers it got. */
const service = createServer((req, res) => res.end(JSON.stringify(req.headers)))

const listen = server => new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))

test('the edge hides cookies from the service', async ({ sandbox }) => {
  const port = await listen(service)
  try {
    await sandbox.db('https_edges').add({
      id: 'edghts_shop',
      hostports: ['http://127.0.0.1:0'],
      routes: [
        {
          id: 'edghtsrt_shop',
          upstream: `http://127.0.0.1:${port}`,
          request_headers: { add: { 'X-Edge': 'shop' }, remove: ['cookie'] },
        },
      ],
    })
    const { url } = await sandbox.edge('edghts_shop')
    const seen = await (await fetch(`${url}/cart`, { headers: { cookie: 'session=1' } })).json()
    expect(seen).toMatchObject({ 'x-edge': 'shop' })
    expect(seen).not.toHaveProperty('cookie')
    await sandbox.verify({ edge: 'edghts_shop', verdict: 'allow', path: '/cart', count: 1 })
  } finally {
    service.close()
    service.closeAllConnections()
  }
})
