import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ask, openEvents } from '../../support/http.ts'
import { talk } from '../../support/raw-http.ts'
import { echo, headerEcho, httpsEdge, tcpEdge, withEdges } from './edges.ts'

interface Tables {
  policies: [what: string, rules: string[][], verdict: string][]
  decided: [question: object, expected: object][]
  refused: [question: object, status: number, says: string][]
}

const text = readFileSync(new URL('decisions.yaml', import.meta.url), 'utf8')
const { policies, decided, refused }: Tables = parse(text)

const EDGE = 'edgtcp_a'

describe('Policies', () => {
  const rules = (...given: string[]) =>
    given.map(text => {
      const [action, cidr] = text.split(' ')
      return { action, cidr }
    })

  it.each(policies)('allow or block a source: %s', async (_, given, verdict) => {
    const { check, portOf, latest } = await withEdges({
      ip_policies: given.map((each, i) => ({ id: `ipp_${i}`, rules: rules(...each) })),
      ...tcpEdge(await echo(), { ip_restriction: { ip_policy_ids: given.map((__, i) => `ipp_${i}`) } }),
    })
    expect((await talk(await portOf(EDGE), 'x')).said).toBe(verdict === 'allow' ? 'x' : '')
    expect(await latest()).toMatchObject({ verdict, decided_by: 'ip_restriction' })
    expect((await check({ edge: EDGE })).verdict).toBe(verdict)
  })

  it('block every source if none is attached and no_policies_attached=refuse', async () => {
    const assume = { no_policies_attached: 'refuse' }
    const { portOf, latest } = await withEdges(tcpEdge(1, { ip_restriction: {} }), { assume })
    await talk(await portOf(EDGE), 'x')
    const assumptions = [{ name: 'no_policies_attached', value: 'refuse' }]
    expect(await latest()).toMatchObject({ verdict: 'refuse', assumptions })
  })
})

describe('Restrictions of type endpoints', () => {
  it('apply to every edge: 403 or a closed connection if enforced, a warning if not', async () => {
    const { call, portOf, latest } = await withEdges({
      ip_policies: [{ id: 'ipp_two', rules: [{ id: 'ipr_two', action: 'allow', cidr: '127.0.0.2/32' }] }],
      ip_restrictions: [{ id: 'ipx_all', type: 'endpoints', enforced: true, ip_policy_ids: ['ipp_two'] }],
      ...tcpEdge(await echo()),
      ...httpsEdge(await headerEcho()),
    })
    const url = `http://127.0.0.1:${await portOf('edghts_a')}/x`
    const msg = expect.stringContaining('The IP restriction ipx_all blocks 127.0.0.1')
    const refused = { status: 403, body: { error_code: 'ERR_EDGESIM_403', status_code: 403, msg } }
    expect(await ask(url)).toMatchObject(refused)
    // Edges ignore X-Forwarded-For.
    expect((await ask(url, { headers: { 'X-Forwarded-For': '127.0.0.2' } })).status).toBe(403)
    expect((await ask(url, { from: '127.0.0.2' })).status).toBe(200)
    expect((await talk(await portOf(EDGE), 'x')).said).toBe('')
    expect((await talk(await portOf(EDGE), 'x', { from: '127.0.0.2' })).said).toBe('x')
    await call('PATCH', '/ip_restrictions/ipx_all', { enforced: false })
    expect((await ask(url)).status).toBe(200)
    const warnings = [expect.stringContaining('ipx_all is not enforced. Enforced, it would block 127.0.0.1')]
    expect(await latest()).toMatchObject({ verdict: 'allow', decided_by: 'nothing', warnings })
  })
})

describe('POST /_sim/traffic/check', async () => {
  const { call, decisions } = await withEdges({
    ip_policies: [
      { id: 'ipp_in', rules: [{ id: 'ipr_in', action: 'allow', cidr: '10.0.0.0/8' }] },
      { id: 'ipp_out', rules: [{ id: 'ipr_out', action: 'deny', cidr: '10.9.0.0/16' }] },
    ],
    ip_restrictions: [{ id: 'ipx_agent', type: 'agent', enforced: true, ip_policy_ids: ['ipp_in'] }],
    tcp_edges: [{ id: EDGE, upstream: 'db:5432', ip_restriction: { ip_policy_ids: ['ipp_in', 'ipp_out'] } }],
    ...httpsEdge(1, { match: '/api', request_headers: { add: { 'X-A': '1' }, remove: ['cookie'] } }),
  })

  it.each(decided)('decides like the edge: %j', async (question, expected) => {
    const { status, body } = await call('POST', '/_sim/traffic/check', question)
    expect({ status, body }).toMatchObject({ status: 200, body: expected })
    expect(body.explanation.text.length).toBeGreaterThan(10)
    expect(await decisions()).toEqual([])
  })

  it.each(refused)('rejects %j', async (question, status, says) => {
    const response = await call('POST', '/_sim/traffic/check', question)
    expect(response.status).toBe(status)
    expect(response.body.msg).toMatch(new RegExp(says))
  })
})

describe('Decisions', () => {
  it('can be verified, with the closest misses, and are sent as events', async () => {
    const { call, portOf, url } = await withEdges({
      ip_policies: [{ id: 'ipp_two', rules: [{ action: 'allow', cidr: '127.0.0.2/32' }] }],
      ...tcpEdge(await echo(), { ip_restriction: { ip_policy_ids: ['ipp_two'] } }),
    })
    const { events, untilCount } = await openEvents(`${url}/_sim/events`)
    const port = await portOf(EDGE)
    await talk(port, 'x')
    await talk(port, 'x', { from: '127.0.0.2' })
    await untilCount(2)
    expect(events[0]).toMatchObject({ type: 'traffic', data: { id: 'tr_1', verdict: 'refuse' } })
    const verify = (expectation: object) => call('POST', '/_sim/requests/verify', expectation)
    expect((await verify({ edge: EDGE, verdict: 'refuse', count: 1 })).body).toEqual({ matched: ['tr_1'] })
    expect((await verify({ verdict: 'allow', source_ip: '127.0.0.2' })).status).toBe(200)
    expect((await verify({ sequence: [{ verdict: 'refuse' }, { edge: EDGE, verdict: 'allow' }] })).status).toBe(200)
    const missed = await verify({ edge: EDGE, verdict: 'refuse', source_ip: '127.0.0.2' })
    expect(missed.status).toBe(409)
    expect(missed.body.nearest[0]).toMatchObject({
      id: 'tr_2',
      differs: [{ field: 'verdict', expected: 'refuse', received: 'allow' }],
    })
    expect((await verify({ edge: EDGE, operation: 'list_api_keys' })).body.msg).toContain(
      '"operation" matches API calls',
    )
    await call('POST', '/_sim/reset')
    expect((await verify({ edge: EDGE, count: 0 })).status).toBe(200)
  })
})
