import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { afterwards, folderWith } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'
import { forEach, pooledClient, type Reply } from '../../support/raw-http.ts'

const CANARY = 'usr_canary'
const canary = JSON.stringify({ users: [{ id: CANARY, name: CANARY }] })

/** A folder with fixtures and a database, surrounded by canary files. */
const root = folderWith({ 'canary.json': canary, 'canary.yaml': canary, 'db.json.snapshots.json': canary })
const fixturesDir = join(root, 'fixtures')
mkdirSync(join(fixturesDir, 'below'), { recursive: true })
mkdirSync(join(root, 'outside'))
writeFileSync(join(root, 'outside', 'canary.json'), canary)
writeFileSync(join(fixturesDir, 'plain.json'), '{}')
writeFileSync(join(fixturesDir, 'below', 'canary.json'), canary)
writeFileSync(join(fixturesDir, '.hidden.json'), canary)
writeFileSync(join(fixturesDir, 'UPPER.json'), canary)
symlinkSync(join(root, 'canary.json'), join(fixturesDir, 'link.json'))
symlinkSync(join(root, 'outside'), join(fixturesDir, 'folder.json'))

const { call, port } = await simulate({ fixturesDir, db: join(root, 'db.json') })

/** Sends a path unchanged. Other clients resolve its dots. */
const client = pooledClient(port, 8)
afterwards(() => client.close())
const send = (method: string, path: string, body?: object) => client.send({ method, path, body })
const isName = (text: string) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text)

const targets = ['canary', 'canary.json', 'canary.yaml', 'fixtures/below/canary', 'etc/passwd']
const climbs = [
  ...['../', '..\\', '..%2f', '%2e%2e%2f', '%2e%2e/', '..%5c', '%252e%252e%252f', '..%c0%af', '..%ef%bc%8f'],
  ...['....//', '..;/', './../', '.../', '../../', '../../../../../../../../', 'below/../../', 'plain/../../', '/'],
  ...['//', '\\\\?\\', 'file:///', 'C:\\', '~/', '$HOME/', '\u2025/', '\uff0e\uff0e/'],
]
const payloads = [
  ...climbs.flatMap(climb => targets.map(target => climb + target)),
  ...targets.map(target => `${root}/${target}`),
  ...targets.map(target => `${target}\u0000`),
  ...targets.map(target => `plain\u0000/../../${target}`),
  ...['link', 'folder', 'folder/canary', 'below/canary', '.hidden', 'UPPER', 'upper', '..', '.', '', ' ', '-plain'],
  ...['plain.json', 'plain/', 'plain ', ' plain', 'PLAIN', 'plain\n', 'pl\u0131in', 'x'.repeat(65), 'x'.repeat(5_000)],
  ...['con.json/..', '__proto__', 'constructor', 'toString', '{}', '[]', '*', '?', '|cat', ';ls', '`ls`', '$(ls)'],
  ...['<svg>', '%00', '%0a', '\r\nHost: evil.com', 'plain?x', 'plain#x', '𝓅lain', 'plain::$DATA'],
]

/** Only the database file always exists. */
const allFiles = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(file => !/^db\.json\./.test(file) || file === 'db.json.snapshots.json')
    .toSorted()
const filesBefore = allFiles()

function expectNothing(payload: string, responses: Reply[]) {
  const bad = responses.filter(
    ({ status, text }) => status < 400 || status > 499 || text.includes(CANARY) || text.includes('root:'),
  )
  expect({ payload, bad }).toEqual({ payload, bad: [] })
}

describe('A name with a path in it', () => {
  afterEach(() => expect(allFiles(), 'no file is created or changed').toEqual(filesBefore))

  it('is tested in more than 180 ways', () => {
    expect(new Set(payloads).size).toBeGreaterThan(180)
  })

  it('is rejected for a fixture', async () => {
    await forEach(payloads, 8, async fixture => {
      expectNothing(fixture, [
        await send('POST', '/_sim/sandboxes', { fixture }),
        await send('PUT', '/_sim/sandboxes/from-fixture', { fixture }),
      ])
    })
  })

  // Some are valid names of snapshots or sandboxes, which are not files or object properties.
  const bad = payloads.filter(payload => payload !== '' && !isName(payload))

  it.each([
    ['a snapshot', ['PUT /_sim/snapshots/{}', 'POST /_sim/snapshots/{}/restore', 'DELETE /_sim/snapshots/{}']],
    ['a sandbox', ['PUT /_sim/sandboxes/{}', 'GET /_sim/sandboxes/{}/state', 'DELETE /_sim/sandboxes/{}']],
    ['a collection or a record', ['GET /_sim/db/{}', 'PUT /_sim/db/{}/usr_x', 'PUT /_sim/db/users/{}']],
  ])('is rejected for %s', async (_, routes) => {
    await forEach(bad, 8, async name => {
      const replies: Reply[] = []
      for (const route of routes) {
        const [method, path] = route.split(' ') as [string, string]
        const body = path.startsWith('/_sim/db/') && method === 'PUT' ? { name: 'x' } : undefined
        replies.push(
          await send(
            method,
            path.replace('{}', () => encodeURIComponent(name)),
            body,
          ),
        )
      }
      expectNothing(name, replies)
    })
  })

  it('is rejected for a new sandbox', async () => {
    await forEach(bad, 8, async name => expectNothing(name, [await send('POST', '/_sim/sandboxes', { name })]))
    const { sandboxes } = (await call('GET', '/_sim/sandboxes')).body
    const names = sandboxes.map(({ name }: { name: string }) => name)
    expect(names.filter((name: string) => name !== 'good')).toEqual(['default'])
  })

  it('is rejected, unlike a valid name', async () => {
    expect((await call('PUT', '/_sim/sandboxes/good', { fixture: 'plain' })).status).toBe(201)
    expect((await call('PUT', '/_sim/snapshots/good')).status).toBe(201)
    expect((await call('DELETE', '/_sim/snapshots/good')).status).toBe(204)
  })
})
