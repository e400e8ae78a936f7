import { describe, expect, it } from 'vitest'
import { ALL } from '../../support/long.ts'
import { serve } from './fake.ts'
import { lineTo } from './line.ts'
import { cases, service } from './probing.ts'

/** Every seventh case in `npm test`. */
const some = cases.filter((_, i) => ALL || i % 7 === 0)

describe('A probe', () => {
  it.for(some)('finds $name=$value, and leaves no records', async ({ name, value, assume }) => {
    const { probe, state } = await service({ assume })
    const before = await state()
    const { verdicts, left, stopped } = await probe([name])
    expect({ verdicts, left, stopped }).toEqual({ verdicts: { [name]: { value } }, left: [], stopped: undefined })
    expect(await state()).toBe(before)
  })

  it('does not delete a record without its marker', async () => {
    const sent: string[] = []
    const url = await serve((req, res) => {
      sent.push(`${req.method} ${req.url}`)
      res.writeHead(req.method === 'POST' ? 201 : 200).end('{"id":"ipp_yours","metadata":"yours","ip_policies":[]}')
    })
    const { probe, connect } = await service()
    const { verdicts, stopped } = await probe(['page_order'], connect(url))
    expect(verdicts.page_order).toEqual({ undecided: expect.stringContaining('missing id or marker') })
    expect(stopped).toContain('Stopped at page_order')
    expect(sent.filter(line => !line.startsWith('GET'))).toEqual(['POST /ip_policies'])
  })

  it('does not change or delete a foreign record, even if the API returns its ID', async () => {
    const { url, call, probe, connect, state } = await service()
    const { body: yours } = await call('POST', '/ip_policies', { metadata: 'yours' })
    const before = await state()
    const line = await lineTo(url)
    for (const name of ['page_order', 'empty_update'] as const) {
      line.breakAt(1, { foreignId: () => yours.id })
      const { left, stopped } = await probe([name], connect(line.url))
      expect(left).toEqual([
        {
          path: `/ip_policies/${yours.id}`,
          why: expect.stringContaining('its metadata is not the marker, so it was not changed'),
        },
      ])
      expect(stopped).toContain('its records were not deleted')
      // The record it created has the marker, and is deleted.
      expect(await state()).toBe(before)
    }
  })

  it('does not treat a listed record as deleted', async () => {
    const { probe, call } = await service()
    await call('PUT', '/_sim/scenario', {
      rules: [{ when: { operation: 'get_ip_policy' }, fault: { type: 'error', status: 404 } }],
    })
    const { left } = await probe(['page_order'])
    expect(left).toHaveLength(2)
    expect(left[0]!.why).toBe('listed, but GET or DELETE returns not found')
  })

  it('rejects an ID that could change the path', async () => {
    const sent: string[] = []
    let mark = ''
    const url = await serve((req, res) => {
      sent.push(`${req.method} ${req.url}`)
      if (req.method !== 'POST')
        return void res.end(JSON.stringify({ ip_policies: [{ id: '../api_keys/ak_yours', metadata: mark }] }))
      req.on('data', text => {
        mark = JSON.parse(text).metadata
      })
      req.on('end', () => res.destroy())
    })
    const { probe, connect } = await service()
    const { verdicts } = await probe(['page_order'], connect(url))
    expect(verdicts.page_order).toEqual({ undecided: expect.stringContaining('POST /ip_policies failed at') })
    expect(mark).not.toBe('')
    expect(sent.filter(line => line.startsWith('DELETE'))).toEqual([])
  })

  it('treats a missing record as deleted', async () => {
    const { probe, call, state } = await service()
    const before = await state()
    await call('PUT', '/_sim/scenario', {
      rules: [{ when: { operation: 'delete_ip_policy' }, fault: { type: 'lost-reply' }, times: 3 }],
    })
    expect((await probe(['page_order'])).left).toEqual([])
    expect(await state()).toBe(before)
  })

  it('reports records it could not delete, and leaves the journal for a sweep', async () => {
    const { probe, call, state, sweep } = await service()
    const before = await state()
    await call('PUT', '/_sim/scenario', {
      rules: [{ when: { operation: 'delete_ip_policy' }, fault: { type: 'error', status: 403 } }],
    })
    const { left, verdicts, stopped, file } = await probe(['page_order', 'edges'])
    expect(left).toEqual(
      [1, 2].map(() => ({ path: expect.stringMatching(/^\/ip_policies\/ipp_/), why: 'DELETE returned status 403' })),
    )
    expect(verdicts.edges).toEqual({ undecided: expect.stringContaining('not tested') })
    expect(stopped).toContain('its records were not deleted')
    await call('DELETE', '/_sim/scenario')
    expect(await sweep(file)).toEqual([])
    expect(await state()).toBe(before)
  })
})
