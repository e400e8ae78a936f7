import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileCalls } from '../../../src/engine/store/file-calls.ts'
import { lock } from '../../../src/engine/store/lock.ts'
import { folderWith } from '../../support/afterwards.ts'
import { edgesimHere, simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'
import { fixture, names, service, tried } from './probing.ts'

/** A simulator in place of the real API, and the command in its own directory. */
async function commandFor(options: Parameters<typeof service>[0] = {}) {
  const target = await service(options)
  const folder = folderWith({})
  const edgesim = (...args: string[]) =>
    edgesimHere(['probe', ...args, '--url', target.url, '--pace', '60000'], {
      cwd: folder,
      env: { EDGESIM_API_KEY: 'sim_admin' },
    })
  const evidence = (file = 'evidence.json') => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  return { ...target, folder, edgesim, evidence }
}

describe('edgesim probe', () => {
  it.runIf(ALL)('--run writes evidence that --assume accepts, and leaves no records', async () => {
    const { edgesim, evidence, folder, state, url } = await commandFor({
      assume: { page_order: 'oldest_first', edge_hostports: 'reserved' },
    })
    const before = await state()
    const { code, out, err } = await edgesim('--run', '--out', 'evidence.json')
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/^ {2}page_order +oldest_first \(edgesim assumes newest_first\)$/m)
    expect(await state()).toBe(before)
    expect(readdirSync(folder)).toEqual(['evidence.json'])
    const { verdicts, ...head } = evidence()
    expect(head).toEqual({
      probed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      host: new URL(url).host,
      version: expect.any(String),
    })
    expect(Object.keys(verdicts)).toEqual(names)
    expect(names.filter(name => 'value' in verdicts[name])).toEqual(tried)
    expect(verdicts.rate_limit).toEqual({ undecided: expect.stringMatching(/^not tested: /) })
    const { call } = await simulate({ assume: join(folder, 'evidence.json') })
    const { body } = await call('GET', '/_sim/assumptions')
    const { page_order, edge_hostports } = Object.fromEntries(
      body.assumptions.map((each: { name: string }) => [each.name, each]),
    )
    expect([page_order.value, edge_hostports.value]).toEqual(['oldest_first', 'reserved'])
    expect(page_order.evidence[0]).toMatchObject({ grade: 'probed', value: 'oldest_first' })
  })

  it('--run prints the evidence without --out', async () => {
    const { edgesim, folder } = await commandFor()
    const { code, out } = await edgesim('--run', 'edges', 'page_order')
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      verdicts: { edges: { value: 'available' }, page_order: { value: 'newest_first' } },
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it('--run reports drift since the last run, with exit code 3', async () => {
    const { edgesim, evidence, call } = await commandFor()
    expect((await edgesim('--run', 'edges', 'unset_text', '--out', 'evidence.json')).code).toBe(0)
    const { probed_at } = evidence()
    const same = await edgesim('--run', 'edges', 'unset_text', '--out', 'evidence.json')
    expect(same).toMatchObject({ code: 0, err: expect.stringContaining(`No drift since ${probed_at}`) })
    await call('PUT', '/_sim/scenario', { assume: { unset_text: 'empty', edges: 'gone' } })
    const { code, err } = await edgesim('--run', 'edges', 'unset_text', '--out', 'evidence.json')
    expect(code).toBe(3)
    expect(err).toMatch(/Drift since .*Z: edges: was available, now gone/)
    expect(err).toMatch(/Drift since .*Z: unset_text: was omit, now empty/)
    expect(evidence().verdicts).toEqual({ edges: { value: 'gone' }, unset_text: { value: 'empty' } })
  })

  it('--run stops at an unexpected response, reports its types without values, and cleans up', async () => {
    const { edgesim, evidence, state, call } = await commandFor()
    await edgesim('--run', 'missing_version', 'list_filter', 'edges', '--out', 'evidence.json')
    const before = await state()
    const rules = [{ when: { operation: 'list_ip_policies', calls: '2-' }, fault: { type: 'error', status: 418 } }]
    await call('PUT', '/_sim/scenario', { rules })
    const { code, err } = await edgesim('--run', 'missing_version', 'list_filter', 'edges', '--out', 'evidence.json')
    expect(code).toBe(3)
    expect(err).toContain('Stopped at list_filter: unexpected status 418 for GET /ip_policies')
    expect(err).toContain('list_filter: was documented, now none of the known values: status 418')
    expect(await state()).toBe(before)
    expect(evidence('evidence.stopped.json').verdicts).toEqual({
      missing_version: { value: 'reject' },
      list_filter: {
        none_known: {
          status: 418,
          body: { error_code: 'string', status_code: 'number', msg: 'string', details: expect.any(Object) },
        },
      },
      edges: { undecided: expect.stringContaining('not tested: Stopped at list_filter') },
    })
    // The evidence of the complete run is unchanged.
    expect(evidence().verdicts.list_filter).toEqual({ value: 'documented' })
  })

  it('--run leaves an assumption undecided if it cannot create a record for it', async () => {
    const { edgesim, call } = await commandFor()
    await call('PUT', '/_sim/scenario', {
      rules: [{ when: { operation: 'create_tcp_edge' }, fault: { type: 'error', status: 418 } }],
    })
    const { code, out } = await edgesim('--run', 'absent_module', 'edges')
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 1,
      verdicts: {
        absent_module: { undecided: 'unexpected status 418 for POST /edges/tcp' },
        edges: { undecided: expect.stringContaining('not tested') },
      },
    })
  })

  it('--run rejects an account with records, unless --account names it', async () => {
    const policies = { ...fixture, ip_policies: [{ id: 'ipp_own' }] }
    const { edgesim, state, call, folder } = await commandFor({ fixture: policies })
    const before = await state()
    const refused = await edgesim('--run', 'page_order')
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toMatch(/The account has records at \/ip_policies.* confirm this one with --account/)
    expect(refused.err).not.toContain('ak_admin')
    const wrong = await edgesim('--run', 'page_order', '--account', 'ak_other')
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('--account ak_other is not an API key or key owner of this account'),
    })
    const { body } = await call('GET', '/_sim/requests?limit=1000')
    expect((body.requests as { method: string }[]).every(({ method }) => method === 'GET')).toBe(true)
    for (const account of ['ak_admin', 'usr_admin'])
      expect((await edgesim('--run', 'page_order', '--account', account)).code).toBe(0)
    expect(await state()).toBe(before)
    expect(readdirSync(folder)).toEqual([])
    // Without writes, no confirmation is needed.
    expect((await edgesim('--run', 'missing_version')).code).toBe(0)
  })

  it('--run overwrites no other files or verdicts', async () => {
    const { edgesim, folder, call } = await commandFor()
    writeFileSync(join(folder, 'other.json'), '{}')
    const other = await edgesim('--run', 'edges', '--out', 'other.json')
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('The existing file is unchanged.') })
    await edgesim('--run', 'edges', 'page_order', '--out', 'evidence.json')
    const fewer = await edgesim('--run', 'edges', '--out', 'evidence.json')
    expect(fewer).toMatchObject({ code: 2, err: expect.stringContaining('1 verdict that this run would drop') })
    const nowhere = await edgesim('--run', 'edges', '--out', 'no/such/evidence.json')
    expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('no such directory') })
    const { body } = await call('GET', '/_sim/requests?limit=1000')
    expect(body.requests.filter(({ path }: { path: string }) => path === '/edges/tcp')).toHaveLength(2)
  })

  it.skipIf(process.platform === 'win32')('--run writes evidence with mode 0600 and follows no symlink', async () => {
    const { edgesim, evidence, folder } = await commandFor()
    writeFileSync(join(folder, 'victim'), 'precious')
    for (const name of ['e.json.new', 'e.json.tmp']) symlinkSync('victim', join(folder, name))
    expect((await edgesim('--run', 'edges', '--out', 'e.json')).code).toBe(0)
    expect(evidence('e.json').verdicts).toEqual({ edges: { value: 'available' } })
    expect(statSync(join(folder, 'e.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('precious')
    expect(readdirSync(folder).toSorted()).toEqual(['e.json', 'e.json.new', 'e.json.tmp', 'victim'])
  })

  it('explains invalid arguments', async () => {
    const { edgesim } = await commandFor()
    const errOf = async (...args: string[]) => {
      const { code, err } = await edgesim(...args)
      expect(code).toBe(2)
      return err
    }
    expect(await errOf()).toContain('Use --plan to print the requests, or --run to send them')
    expect(await errOf('--run', 'page_ordr')).toContain('Unknown assumption "page_ordr". Did you mean page_order?')
    expect(await errOf('--plan', '--run')).toContain('Use either --plan or --run')
    expect(await errOf('sweep')).toContain('sweep JOURNAL')
    expect(await errOf('wipe')).toContain('Unexpected argument "wipe"')
    expect(await errOf('sweep', 'no.journal')).toContain('Cannot read no.journal: no such file.')
  })

  it('--plan sends nothing and needs no key', async () => {
    const { code, out } = await edgesimHere(['probe', '--plan'])
    expect(code).toBe(0)
    expect(out).toMatch(/^page_order: How are lists sorted\?$/m)
    expect(out).toMatch(/^ {2}rate_limit: It would send more requests/m)
    expect(out).toMatch(/^\d+ experiments, up to \d+ requests: \d minutes at 60 per minute\.$/m)
  })
})

describe('edgesim probe sweep', () => {
  async function leftovers() {
    const command = await commandFor()
    const { begin, call } = command
    const journal = begin()
    const ids: string[] = []
    for (let i = 0; i < 2; i++) {
      const mark = journal.begin('/ip_policies')
      const { body } = await call('POST', '/ip_policies', { metadata: mark })
      ids.push(body.id)
      journal.made(mark, body.id)
    }
    journal.close()
    return { ...command, file: journal.file, ids, head: journal.head }
  }

  it('deletes the records in the journal', async () => {
    const { edgesim, file, call } = await leftovers()
    const { code, err } = await edgesim('sweep', file)
    expect({ code, err }).toEqual({ code: 0, err: 'edgesim: Deleted 2 of 2 records that the run may have created.\n' })
    expect((await call('GET', '/ip_policies')).body.ip_policies).toEqual([])
    expect(existsSync(file)).toBe(false)
  })

  it('rejects the journal of an active run', async () => {
    const { edgesim, file, call } = await leftovers()
    const running = await lock(file, fileCalls)
    const { code, err } = await edgesim('sweep', file)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(' is still active') })
    expect((await call('GET', '/ip_policies')).body.ip_policies).toHaveLength(2)
    running.release()
    expect((await edgesim('sweep', file)).code).toBe(0)
    expect(existsSync(`${file}.lock`)).toBe(false)
  })

  it('skips and reports records with a changed marker', async () => {
    const { edgesim, file, call, ids } = await leftovers()
    await call('PATCH', `/ip_policies/${ids[1]}`, { metadata: 'ours now' })
    const { code, err } = await edgesim('sweep', file)
    expect(code).toBe(1)
    expect(err).toContain(`Not deleted: /ip_policies/${ids[1]}: its metadata is not the marker`)
    const { body } = await call('GET', '/ip_policies')
    expect(body.ip_policies).toMatchObject([{ id: ids[1], metadata: 'ours now' }])
    expect(existsSync(file)).toBe(true)
  })

  it('finds a record after its response was lost', async () => {
    const { edgesim, begin, call } = await commandFor()
    const journal = begin()
    await call('POST', '/ip_policies', { metadata: journal.begin('/ip_policies') })
    await call('POST', '/ip_policies', { metadata: 'of somebody else' })
    journal.close()
    expect((await edgesim('sweep', journal.file)).code).toBe(0)
    expect((await call('GET', '/ip_policies')).body.ip_policies).toMatchObject([{ metadata: 'of somebody else' }])
  })

  it('sends the key only to the URL that the user sets', async () => {
    const { file, folder } = await leftovers()
    const env = { EDGESIM_API_KEY: 'sim_admin' }
    const { code, err } = await edgesimHere(['probe', 'sweep', file], { cwd: folder, env })
    expect(code).toBe(2)
    expect(err).toMatch(/belongs to a run against http:\/\/127.*, not https:\/\/api\.ngrok\.com/)
  })

  it('rejects other files and changed journals, but accepts a truncated last line', async () => {
    const { edgesim, file, folder, head } = await leftovers()
    const journal = (...lines: object[]) => {
      const name = join(folder, 'bad.journal')
      writeFileSync(name, `${lines.map(line => JSON.stringify(line)).join('\n')}\n`)
      return name
    }
    const mark = `edgesim_probe_${head.run}_0001`
    for (const lines of [
      [{}],
      [{ ...head, run: '../x' }],
      [head, { making: '/ip_policies/../api_keys', mark }],
      [head, { making: '/ip_policies', mark: '' }],
      [head, { making: '/ip_policies', mark }, { made: '../api_keys/ak_admin', mark }],
    ]) {
      const { code, err } = await edgesim('sweep', journal(...lines))
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('is not a probe journal') })
    }
    writeFileSync(join(folder, 'large.journal'), Buffer.alloc(16 * 1024 * 1024 + 1))
    expect((await edgesim('sweep', 'large.journal')).err).toContain(
      'Cannot read large.journal: it is larger than 16 MB',
    )
    // A power loss can truncate the last line.
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"making":"/ip_po`)
    expect((await edgesim('sweep', file)).code).toBe(0)
  })
})
