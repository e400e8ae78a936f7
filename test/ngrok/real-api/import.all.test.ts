import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestPem } from '../../../src/ngrok/certificates/shapes.ts'
import { importAccount } from '../../../src/ngrok/real-api/import/import-account.ts'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import { exampleOf } from '../../contract/record/world.ts'
import { folderWith } from '../../support/afterwards.ts'
import { edgesimHere, type Simulated, simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'
import { allGets, importFrom, requestsOf, serveAccount } from './import-support.ts'
import { NOW, SECRET, TEXT, unsetFields } from './rich-account.ts'

/** Replaces secrets like an import. */
const replaced = (text: string) =>
  text.replaceAll(`login:${SECRET}-login@`, '').replaceAll(new RegExp(`${SECRET}[a-z-]*`, 'g'), 'sim_secret')

const serveCopy = (file: string, { url }: Pick<Simulated, 'url'>, options: SimulatorOptions = {}) =>
  simulate({ fixture: file, clock: NOW, baseUrl: url, ...options })

async function expectSameResponses(real: Simulated, copy: Simulated, paths: string[]) {
  for (const path of paths) {
    const [there, here] = await Promise.all([
      real.call('GET', path),
      copy.call('GET', path, undefined, { token: 'sim_annacme' }),
    ])
    const [expected, found] = [replaced(there.text), here.text].map(text => text.replace(/"op_\w+"/, '"op"'))
    expect(`${path} ${here.status} ${found}`).toBe(`${path} ${there.status} ${expected}`)
  }
}

const OLDEST_FIRST: SimulatorOptions = { assume: { page_order: 'oldest_first' }, vendor: 'acme' }

describe('An imported account', async () => {
  const account = await serveAccount()
  const imported = await importFrom(account)

  it('is tested with every field of every record', () => {
    expect(unsetFields()).toEqual([])
  })

  it.each(
    ALL ? [{}, OLDEST_FIRST] : [{}],
  )('returns the same bytes for every GET, except secrets (%j)', async options => {
    const real = await serveAccount(options)
    // Orders that created_at does not show: rules within one second, and a restarted session.
    for (const [i, policy] of ['ipp_lab', 'ipp_office', 'ipp_lab', 'ipp_office'].entries())
      await real.call('POST', '/ip_policy_rules', { ip_policy_id: policy, action: 'deny', cidr: `192.0.2.${i}/32` })
    expect((await real.call('POST', '/tunnel_sessions/ts_old/restart')).status).toBe(204)
    const paths = await allGets(real)
    expect(paths.length).toBeGreaterThan(200)
    const vendor = options.vendor ? ['--vendor', options.vendor] : []
    const { code, err, file, text } = await importFrom(real, ['--keep-texts', ...vendor])
    expect({ code, err }).toMatchObject({ code: 0 })
    expect(err.includes('--assume page_order=oldest_first')).toBe(options.assume !== undefined)
    const { order } = JSON.parse(text!)
    expect(Object.keys(order)).toEqual(['ip_policy_rules', 'tunnel_sessions', 'https_edge_routes'])
    const pages = requestsOf(real).map(each => each.replace('GET ', ''))
    expect(pages.length).toBeGreaterThan(30)
    await expectSameResponses(real, await serveCopy(file, real, options), [...paths, ...pages])
  })

  it('is read only with GET, each page once', async () => {
    const requests = requestsOf(account)
    expect(requests.filter(each => !each.startsWith('GET '))).toEqual([])
    expect(new Set(requests).size).toBe(requests.length)
    expect(imported.out).toContain(` after ${requests.length} requests`)
  })

  it.each(
    ALL ? [[['--keep-texts']], [[]], [['--anonymise']]] : [[[]]],
  )('has no secret in its files or output (%j)', async args => {
    const { out, err, folder, text } = args.length > 0 ? await importFrom(await serveAccount(), args) : imported
    expect(text).toContain('sim_secret')
    for (const written of [out, err, text]) expect(written).not.toContain(SECRET)
    expect(text).not.toContain('PRIVATE KEY')
    expect(readdirSync(folder)).toEqual(['account.json'])
    if (args.includes('--keep-texts')) expect(text).toContain(TEXT)
    else for (const written of [out, err, text]) expect(written).not.toContain(TEXT)
  })

  it('has no secrets or free text in its progress file', async () => {
    const { url } = await serveAccount()
    const folder = folderWith()
    let pages = 0
    await importAccount(
      { url, key: `${SECRET}-account`, vendor: 'service' },
      { out: join(folder, 'a.json'), pace: 60_000 },
      {
        onPage() {
          const text = readFileSync(join(folder, 'a.progress'), 'utf8')
          expect(text).not.toMatch(new RegExp(`${SECRET}|${TEXT}|PRIVATE KEY`))
          pages++
        },
      },
    )
    expect(pages).toBeGreaterThan(30)
  })

  it.runIf(ALL).each([
    ['account.yaml', []],
    ['account.yml', ['--keep-texts']],
    ['account.json', ['--anonymise']],
  ])('is a valid fixture as %s with %j', async (out, args) => {
    const { folder } = await importFrom(await serveAccount(), args, { out })
    const validated = await edgesimHere(['validate', out], { cwd: folder })
    expect(validated).toMatchObject({ code: 0, err: '' })
    expect(validated.out).toContain(`${out}: valid fixture (2 users, 2 bots, 1 service_user, 123 api_keys`)
  })

  it('has an admin token for each key: sim_ and the rest of its ID', async () => {
    const { users, bots, service_users } = JSON.parse(imported.text!)
    for (const owner of [...users, ...bots, ...service_users]) expect(owner.admin).toBe(true)
    const copy = await serveCopy(imported.file, account)
    for (const token of ['sim_annacme', 'sim_bobacme', 'sim_ciacme', 'sim_many7'])
      expect((await copy.call('GET', '/api_keys/ak_annacme', undefined, { token })).status).toBe(200)
  })

  it('comes with a report of read, replaced and missing data', async () => {
    const real = await serveAccount({
      fixture: {
        users: [{ id: 'usr_a', admin: true }],
        api_keys: [{ id: 'ak_a', owner_id: 'usr_a', token: `${SECRET}-account` }],
        kubernetes_operators: [{ id: 'k8sop_a', description: TEXT, binding: { csr: exampleOf(requestPem) } }],
      },
    })
    const { err } = await importFrom(real)
    expect(err.split('\n').filter(line => !/^\d+ of/.test(line))).toEqual([
      'Read: api_keys 1, kubernetes_operators 1',
      'Not read:',
      '  abuse_reports: the API has no list operation',
      '  users: the API has no list operation. Users who own a record are in the fixture by ID, as admins.',
      'Free-text fields, omitted because they may contain secrets (--keep-texts includes them) (1):',
      '  description',
      'Values that the simulator generates, and that differ (1):',
      '  kubernetes_operators.binding.cert',
      '',
    ])
  })
})
