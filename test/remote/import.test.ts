import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { edgesimHere, type Simulated, simulate } from '../support/in-process.ts'
import { allGets, importFrom, requestsOf, serveAccount } from './import-support.ts'
import { NOW, SECRET, TEXT, unsetFields } from './rich-account.ts'

/** What the account has and the fixture does not. */
const replaced = (text: string) =>
  text
    .replaceAll(new RegExp(`login:${SECRET}-login@`, 'g'), '')
    .replaceAll(new RegExp(`${SECRET}[a-z-]*`, 'g'), 'sim_secret')

/** A simulator on the imported fixture, in place of the account. */
const serveCopy = (file: string, { url }: Simulated, options: SimulatorOptions = {}) =>
  simulate({ fixture: file, clock: NOW, baseUrl: url, ...options })

async function expectSameAnswers(real: Simulated, copy: Simulated, paths: string[]) {
  for (const path of paths) {
    const [there, here] = await Promise.all([
      real.call('GET', path),
      copy.call('GET', path, undefined, { token: 'sim_annacme' }),
    ])
    const [expected, found] = [replaced(there.text), here.text].map(text => text.replace(/"op_\w+"/, '"op"'))
    expect(`${path} ${here.status} ${found}`).toBe(`${path} ${there.status} ${expected}`)
  }
}

describe('An imported account', () => {
  it('is tried with an account that has every member of every record', () => {
    expect(unsetFields()).toEqual([])
  })

  it('answers every GET byte for byte as the real one, but for secrets', async () => {
    const real = await serveAccount()
    // Rules of two policies in turn, within one second; a session whose time is no longer that of its place.
    for (const [i, policy] of ['ipp_lab', 'ipp_office', 'ipp_lab', 'ipp_office'].entries())
      await real.call('POST', '/ip_policy_rules', { ip_policy_id: policy, action: 'deny', cidr: `192.0.2.${i}/32` })
    await real.call('POST', '/tunnel_sessions/ts_other/restart')
    const paths = await allGets(real)
    expect(paths.length).toBeGreaterThan(200)
    const { code, err, file } = await importFrom(real, ['--keep-texts'])
    expect({ code, err }).toMatchObject({ code: 0 })
    const gets = requestsOf(real).map(each => each.replace('GET ', ''))
    expect(gets.length).toBeGreaterThan(30)
    const copy = await serveCopy(file, real)
    await expectSameAnswers(real, copy, [...paths, ...gets])
  })
})
