import { createServer, type IncomingMessage, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/index.ts'
import { listening } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

type Choose = (req: IncomingMessage) => number

/** A proxy that chooses one of two simulators for each request. */
async function proxyTo(choose: Choose, options = {}) {
  const behind = [await simulate(options), await simulate(options)]
  const proxy = createServer((req, res) => {
    const { port } = behind[choose(req)]!
    const onwards = request({ port, method: req.method, path: req.url, headers: req.headers }, response => {
      res.writeHead(response.statusCode!, response.headers)
      response.pipe(res)
    })
    onwards.on('error', () => res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>'))
    req.pipe(onwards)
  })
  return { url: `http://127.0.0.1:${await listening(proxy)}`, behind }
}

const inTurn = (): Choose => {
  let turn = 0
  return () => turn++ % 2
}

const bySandbox: Choose = ({ url = '', headers }) => {
  const name = /^\/_sim\/sandboxes\/([^/?]+)/.exec(url)?.[1] ?? /~(.*)$/.exec(headers.authorization ?? '')?.[1]
  return name?.endsWith('1') ? 1 : 0
}

describe('A handle behind a proxy', () => {
  it('works if the proxy sends each sandbox to one simulator', async () => {
    const { url, behind } = await proxyTo(bySandbox, { controlToken: 'steering' })
    const sim = await connect(url, { controlToken: 'steering' })
    for (const [i, { sandboxes }] of behind.entries()) {
      const sandbox = await sim.sandbox(`sandbox-${i}`)
      await sandbox.snapshot('first')
      const headers = { authorization: `Bearer ${sandbox.token}`, 'service-version': '2' }
      expect((await fetch(`${url}/api_keys`, { headers })).status).toBe(200)
      await sandbox.verify({ operation: 'list_api_keys' })
      expect(sandboxes.list().map(({ name }) => name)).toEqual(['default', `sandbox-${i}`])
      await sandbox.drop()
    }
  })

  it('rejects if two simulators respond for one sandbox', async () => {
    const { url } = await proxyTo(inTurn())
    const sim = await connect(url)
    const refused = sim.sandbox('mine')
    await expect(refused).rejects.toMatchObject({ code: 'TWO_INSTANCES' })
    await expect(refused).rejects.toThrow(/^Two simulators \(\w{8}, then \w{8}\) .*"mine".*docs\/scale-out\.md/)
    await expect(sim.default.state()).rejects.toThrow(/the sandbox "default"/)
  })

  it('rejects for an event stream of another simulator, and for an earlier sandbox', async () => {
    let which = 0
    const { url } = await proxyTo(() => which)
    const sandbox = await (await connect(url)).sandbox()
    which = 1
    await expect(sandbox.events().next()).rejects.toMatchObject({ code: 'TWO_INSTANCES' })
    await expect(sandbox.requests()).rejects.toMatchObject({ code: 'TWO_INSTANCES' })
    which = 0
    await expect(sandbox.requests()).resolves.toEqual([])
  })

  it('rejects if only requests to the API reach another simulator', async () => {
    const { url, behind } = await proxyTo(({ url }) => (url!.startsWith('/_sim') ? 0 : 1))
    const refused = (await connect(url)).sandbox('mine')
    await expect(refused).rejects.toMatchObject({ code: 'TWO_INSTANCES' })
    await expect(refused).rejects.toThrow(/API and control requests of the sandbox "mine" reach different simulators/)
    for (const { sandboxes } of behind) for (const { journal } of sandboxes.list()) expect(journal.size).toBe(0)
  })

  it('rejects if the proxy cannot reach the simulator', async () => {
    const { url, behind } = await proxyTo(() => 0)
    const sim = await connect(url)
    await behind[0]!.close()
    const message = expect.stringMatching(/The proxy at .* status 502/)
    await expect(sim.sandbox()).rejects.toMatchObject({ code: 'UNREACHABLE', message })
  })
})
