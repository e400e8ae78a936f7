import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { echo, headerEcho, httpsEdge, tcpEdge } from '../ngrok/edges/edges.ts'
import { folderWith } from '../support/afterwards.ts'
import { launch } from '../support/as-process.ts'
import { ask } from '../support/http.ts'
import { ALL } from '../support/long.ts'
import { talk } from '../support/raw-http.ts'

async function fixture() {
  const [bytes, http] = [await echo(), await headerEcho()]
  const [https] = httpsEdge(http).https_edges
  const edges = {
    ip_policies: [{ id: 'ipp_two', rules: [{ action: 'allow', cidr: '127.0.0.2/32' }] }],
    ...tcpEdge(bytes, { ip_restriction: { ip_policy_ids: ['ipp_two'] } }),
    https_edges: [{ ...https, listen: '127.0.0.1:0' }],
  }
  return join(folderWith({ 'edges.json': edges }), 'edges.json')
}

describe.concurrent('Edges on the command line', () => {
  it('print their addresses and certificate, and log their traffic', async () => {
    const { until, printed, child, ended } = launch([await fixture(), '--port', '0'])
    await until(/curl .*\n\n/)
    const [, tcp] = /^edge: edgtcp_a listens on tcp:\/\/127\.0\.0\.1:(\d+)$/m.exec(printed.out)!
    const [, url] = /^edge: edghts_a listens on (https:\/\/127\.0\.0\.1:\d+)$/m.exec(printed.out)!
    const [, file] = /^certificate: (.+) \(also at/m.exec(printed.out)!
    expect(printed.out).not.toContain('--cacert')
    expect(existsSync(file!)).toBe(true)
    expect((await ask(`${url}/x`, { ca: readFileSync(file!, 'utf8') })).status).toBe(200)
    expect((await talk(Number(tcp), 'x')).said).toBe('')
    expect((await talk(Number(tcp), 'x', { from: '127.0.0.2' })).said).toBe('x')
    await until(/allow edgtcp_a connection from 127\.0\.0\.2\n/)
    expect(printed.out).toMatch(/^\S+ 200 edghts_a GET \/x from 127\.0\.0\.1$/m)
    expect(printed.out).toMatch(
      /^\S+ refuse edgtcp_a connection from 127\.0\.0\.1 The IP restriction module of edgtcp_a blocks/m,
    )
    // An open connection does not delay the shutdown.
    const open = connect(Number(tcp), '127.0.0.1').on('error', () => {})
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    open.destroy()
    expect(existsSync(file!)).toBe(false)
  })

  it.runIf(ALL)('are in the JSON ready line', async () => {
    const { until, printed } = launch([await fixture(), '--port', '0', '--log', 'json'])
    await until(/"event":"ready".*\n/)
    const { edges } = JSON.parse(printed.out.split('\n')[0]!)
    expect(edges).toMatchObject([{ edge: 'edgtcp_a', port: expect.any(Number) }, { edge: 'edghts_a' }])
    await talk(edges[0].port, 'x')
    await until(/"event":"traffic".*\n/)
    const line = JSON.parse(printed.out.split('\n').find(each => each.includes('"traffic"'))!)
    expect(line).toMatchObject({ edge: 'edgtcp_a', verdict: 'refuse', source_ip: '127.0.0.1', sandbox: 'default' })
  })

  it.runIf(ALL)('with a taken port are reported, and the others work', async () => {
    const taken = await echo()
    const cwd = folderWith({ 'taken.json': tcpEdge(1, { listen: `127.0.0.1:${taken}` }) })
    const { until, printed } = launch(['taken.json', '--port', '0'], { cwd })
    await until(/curl .*\n\n/)
    expect(printed.out).toContain(`edge: edgtcp_a is not listening: port ${taken} on 127.0.0.1 is already in use`)
    expect(printed.err).toContain(`The edge edgtcp_a is not listening: port ${taken} on 127.0.0.1 is already in use.`)
  })
})
