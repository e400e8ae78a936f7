import { createServer } from 'node:http'
import { expect, test } from 'edgesim/playwright'

test('the service is only reached from where the policy says', async ({ request, sandbox }) => {
  const service = createServer((_req, res) => res.end('the shop'))
  await new Promise(resolve => service.listen(0, '127.0.0.1', resolve))
  try {
    await sandbox.db('https_edges').add({
      id: 'edghts_shop',
      hostports: ['http://127.0.0.1:0'],
      routes: [{ id: 'edghtsrt_shop', upstream: `http://127.0.0.1:${service.address().port}` }],
    })
    const { url } = await sandbox.edge('edghts_shop')
    expect(await (await request.get(url)).text()).toBe('the shop')

    await sandbox.db('ip_policies').add({ id: 'ipp_office', rules: [{ action: 'allow', cidr: '10.0.0.0/8' }] })
    await sandbox
      .db('ip_restrictions')
      .add({ id: 'ipx_shop', type: 'endpoints', enforced: true, ip_policy_ids: ['ipp_office'] })
    expect((await request.get(url)).status()).toBe(403)
    await sandbox.verify({ edge: 'edghts_shop', verdict: 'refuse', count: 1 })
  } finally {
    service.close()
    service.closeAllConnections()
  }
})
