import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importAccount } from '../../../src/ngrok/real-api/import/import-account.ts'
import { folderWith } from '../../support/afterwards.ts'
import type { Simulated } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'
import { importFrom, requestsOf, serveAccount } from './import-support.ts'
import { SECRET } from './rich-account.ts'

const key = `${SECRET}-account`

async function interrupted({ url }: Pick<Simulated, 'url'>, pages: number, out = 'account.json') {
  const folder = folderWith()
  const controller = new AbortController()
  let count = 0
  const imported = importAccount(
    { url, key, vendor: 'service' },
    { out: join(folder, out), pace: 60_000 },
    { signal: controller.signal, onPage: () => ++count === pages && controller.abort() },
  )
  await expect(imported).rejects.toThrow(/abort/)
  return folder
}

describe('An interrupted import', () => {
  it.each(ALL ? [3, 34] : [3])('resumes after page %i, reads no page twice and writes the same file', async pages => {
    const real = await serveAccount()
    const folder = await interrupted(real, pages)
    expect(readdirSync(folder)).toEqual(['account.progress'])
    expect(statSync(join(folder, 'account.progress')).mode & 0o777).toBe(0o600)
    const { code, text, err } = await importFrom(real, [], { folder })
    const requests = requestsOf(real)
    expect({ code, twice: requests.length - new Set(requests).size }).toEqual({ code: 0, twice: 0 })
    expect(readdirSync(folder)).toEqual(['account.json'])
    const whole = await importFrom(real)
    expect(text).toBe(whole.text)
    expect(err.slice(err.indexOf('\nRead:'))).toBe(whole.err.slice(whole.err.indexOf('\nRead:')))
  })

  it.runIf(ALL).each([
    ['another vendor', ['--vendor', 'acme'], key, 'with a different --vendor'],
    ['--keep-texts', ['--keep-texts'], key, 'with a different --keep-texts setting'],
    ['another key', [], `${SECRET}-bob`, 'with a different API key'],
  ])('cannot resume with %s', async (_, args, token, message) => {
    const real = await serveAccount()
    const folder = await interrupted(real, 2)
    const before = requestsOf(real).length
    const { code, err } = await importFrom({ url: real.url, token }, args, { folder })
    expect(code).toBe(2)
    expect(err).toContain(
      `Cannot resume from account.progress: it belongs to an import ${message}. Run the original command again`,
    )
    expect(requestsOf(real).length).toBe(before)
  })

  it.runIf(ALL)('cannot resume at another URL', async () => {
    const folder = await interrupted(await serveAccount(), 2)
    const { code, err } = await importFrom(await serveAccount(), [], { folder })
    expect(code).toBe(2)
    expect(err).toContain('it belongs to an import with a different --url')
  })

  const invalid = ['', 'no JSON', '[]', '{"begun":{},"collections":{"api_keys":{"records":[{"id":"x"}]}},"tally":{}}']
  it.runIf(ALL).each(invalid)('cannot resume from the progress file %j', async text => {
    const folder = folderWith({ 'account.progress': text })
    const real = await serveAccount()
    const { code, err } = await importFrom(real, [], { folder })
    expect({ code, requests: requestsOf(real) }).toEqual({ code: 2, requests: [] })
    expect(err).toContain('unexpected content')
  })

  it.runIf(ALL)('names its progress file, and warns that it is not anonymised', async () => {
    const folder = folderWith()
    const real = await serveAccount({
      scenario: { rules: [{ when: { path: '/edges/tcp' }, fault: { type: 'error', status: 400 } }] },
    })
    const { code, err } = await importFrom(real, ['--anonymise'], { folder })
    expect(code).toBe(1)
    expect(err).toContain(
      'Progress is saved in account.progress. Run the same command again to resume.\nThe progress file is not anonymised.',
    )
    expect(err).toMatch(/GET \/edges\/tcp at \S+ returned no list "tcp_edges" \(status 400, ERR_\w+\)/)
    expect(existsSync(join(folder, 'account.json'))).toBe(false)
  })
})

describe('The imported file', () => {
  it('is not overwritten without --force, and no request is sent', async () => {
    const real = await serveAccount()
    const folder = folderWith({ 'account.json': 'mine' })
    const refused = await importFrom(real, [], { folder })
    expect(refused).toMatchObject({
      code: 2,
      text: 'mine',
      err: expect.stringContaining('account.json already exists. Add --force'),
    })
    expect(requestsOf(real)).toEqual([])
    const { code, text } = await importFrom(real, ['--force'], { folder })
    expect({ code, is: JSON.parse(text!).users }).toMatchObject({ code: 0 })
    expect(readdirSync(folder)).toEqual(['account.json'])
  })

  it.skipIf(process.platform === 'win32')('is not written through a dangling symlink', async () => {
    const real = await serveAccount()
    const folder = folderWith()
    symlinkSync('victim.json', join(folder, 'account.json'))
    const refused = await importFrom(real, [], { folder })
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('account.json already exists. Add --force') })
    expect(requestsOf(real)).toEqual([])
    expect(await importFrom(real, ['--force'], { folder })).toMatchObject({ code: 0 })
    expect(readdirSync(folder)).toEqual(['account.json'])
  })

  it.runIf(ALL)('is not overwritten if it appears during the import', async () => {
    const { url } = await serveAccount()
    const out = join(folderWith(), 'a.json')
    const imported = importAccount(
      { url, key, vendor: 'service' },
      { out, pace: 60_000 },
      { onPage: () => writeFileSync(out, 'mine') },
    )
    await expect(imported).rejects.toThrow('already exists')
    expect(readFileSync(out, 'utf8')).toBe('mine')
  })

  it.runIf(ALL)('must be JSON above the YAML limit, and reuses the data already read', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ id: `ipp_${'long'.repeat(12)}_${i}` }))
    const real = await serveAccount({
      fixture: {
        users: [{ id: 'usr_a', admin: true }],
        api_keys: [{ id: 'ak_a', owner_id: 'usr_a', token: key }],
        ip_policies: many,
      },
    })
    const { code, err, folder } = await importFrom(real, [], { out: 'account.yaml' })
    expect(code).toBe(2)
    expect(err).toMatch(
      /Cannot write account\.yaml: YAML is limited to 256 KiB\. .* --out account\.json\. It reuses the data already read/,
    )
    const before = requestsOf(real).length
    const again = await importFrom(real, [], { folder })
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('after 0 requests') })
    expect(requestsOf(real).length).toBe(before)
    expect(readdirSync(folder)).toEqual(['account.json'])
  })

  it.runIf(ALL)('must be in an existing directory', async () => {
    const real = await serveAccount()
    const { code, err } = await importFrom(real, [], { out: 'nowhere/a.json' })
    expect({ code, requests: requestsOf(real) }).toEqual({ code: 2, requests: [] })
    expect(err).toContain('Cannot write nowhere/a.json: the directory nowhere does not exist.')
  })
})
