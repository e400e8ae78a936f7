import { expect, it } from 'vitest'
import { EdgeListeners } from '../../../src/ngrok/edges/edge-listeners.ts'
import { afterwards } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'

it('A change while the first edge opens is settled when its own edge is open', async () => {
  const { sandboxes } = await simulate()
  const sandbox = sandboxes.default
  const defects: unknown[] = []
  const edges = new EdgeListeners({
    sandboxes,
    vendor: 'service',
    options: {},
    certificate: () => Promise.reject(new Error('no edge needs one')),
    warn: () => {},
    onDefect: error => defects.push(error),
  })
  afterwards(() => edges.close())
  const listen = (id: string) => {
    const after = { id, hostports: ['127.0.0.1:0'] }
    const data = sandbox.commit({ kind: 'record' }, [{ table: 'tcp_edges', id, before: null, after }])
    edges.onEvent({ type: 'change', sandbox: 'default', data }, true)
  }
  listen('edgtcp_first')
  await edges.traffic()
  // Until the first edge is about to listen, which needs a turn of the event loop.
  for (let i = 0; i < 1000 && edges.listeners(sandbox).length === 0; i++) await Promise.resolve()
  listen('edgtcp_second')
  await edges.settled(sandbox)
  const open = edges.listeners(sandbox).filter(each => 'port' in each && each.port > 0)
  expect(open.map(({ edge }) => edge)).toEqual(['edgtcp_first', 'edgtcp_second'])
  expect(defects).toEqual([])
})
