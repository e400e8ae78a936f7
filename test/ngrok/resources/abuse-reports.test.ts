import { expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'

const { as, call, url } = await simulate({ clock: '2026-02-01T00:00:00Z' })

it('A report lists the host of every URL once, as written, and remains pending', async () => {
  const urls = [
    'https://Login.example.net:443/a?b#c',
    'https://Login.example.net:443/other',
    'http://somebody:secret@pay.example.net',
    'tcp://[2001:db8::1]:22/',
  ]
  const { status, body } = await call('POST', '/abuse_reports', { urls, metadata: 'incident 7' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: body.id,
    uri: `${url}/abuse_reports/${body.id}`,
    created_at: '2026-02-01T00:00:00Z',
    metadata: 'incident 7',
    urls,
    status: 'PENDING',
    hostnames: ['Login.example.net:443', 'pay.example.net', '[2001:db8::1]:22'].map(hostname => ({
      hostname,
      status: 'PENDING',
    })),
  })
  await call('PUT', '/_sim/clock', { advance: '30d' })
  expect((await call('GET', `/abuse_reports/${body.id}`)).body).toEqual(body)
})

it('The report status depends on the hostnames, which the control plane can change', async () => {
  const send = as('sim_admin~processed')
  const statusAfter = async (hostnames: object[]) => {
    await send('PATCH', '/_sim/sandboxes/processed/db/abuse_reports/abrp_login', { hostnames })
    return (await send('GET', '/abuse_reports/abrp_login')).body.status
  }
  expect((await send('GET', '/abuse_reports/abrp_login')).body.status).toBe('PARTIALLY_PROCESSED')
  expect(await statusAfter([{ hostname: 'login.example.net', status: 'IGNORE' }])).toBe('PROCESSED')
  expect(await statusAfter([{ hostname: 'login.example.net' }])).toBe('PENDING')
})

it('Reports cannot be listed or changed, and a request cannot set the status', async () => {
  expect((await call('GET', '/abuse_reports')).status).toBe(405)
  expect((await call('DELETE', '/abuse_reports/abrp_login')).status).toBe(405)
  const { body } = await call('POST', '/abuse_reports', { urls: ['https://a.example.net'], status: 'PROCESSED' })
  expect(body).toMatchObject({ error_code: 'ERR_SERVICE_214', details: { field: 'status' } })
})
