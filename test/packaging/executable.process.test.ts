import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root } from '../support/afterwards.ts'
import { BINARY, EDGESIM, edgesim, run, startEdgesim } from '../support/as-process.ts'

/** `npm run test:binary` builds it, and also uses it in the other process tests. */
describe.skipIf(!BINARY)('The executable', () => {
  const [file] = EDGESIM as [string]

  it('passes the smoke test without a PATH or a home directory', async () => {
    expect(await run([process.execPath], [join(root, 'scripts/smoke.js'), file], folderWith())).toMatch(/fine\n$/)
  })

  it('ignores NODE_OPTIONS, and passes them to its command', async () => {
    const env = { NODE_OPTIONS: '--require=/no/such/file --no-such-option' }
    expect((await edgesim(['--version'], { env })).code).toBe(0)
    const told = await edgesim(['exec', '--', '/bin/sh', '-c', 'echo "$NODE_OPTIONS"'], { env })
    expect(told.out).toBe(`${env.NODE_OPTIONS}\n`)
  })

  it('contains no build path', () => {
    expect(readFileSync(file).includes(root)).toBe(false)
  })

  it('comes with its licences and its SBOM, which include Node', () => {
    const { components } = JSON.parse(readFileSync(join(file, '../sbom.cdx.json'), 'utf8'))
    const refs = components.map((component: { 'bom-ref': string }) => component['bom-ref'])
    expect(refs).toContain(`node@${readFileSync(join(root, 'packaging/.node-version'), 'utf8').trim()}`)
    const notices = readFileSync(join(file, '../THIRD_PARTY_NOTICES.txt'), 'utf8')
    expect(notices).toContain('Node.js is licensed for use as follows')
    const listed = [...notices.matchAll(/^(\S+@\d\S*) \(/gm)].map(([, title]) => title)
    expect(listed.length).toBeGreaterThan(20)
    expect(listed.filter(title => !refs.includes(title))).toEqual([])
  })

  it('serves the dashboard, but no other embedded file', async () => {
    const { ready } = await startEdgesim()
    const page = await (await fetch(`${ready.url}/_sim/`)).text()
    const [, script] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)!
    const response = await fetch(`${ready.url}/_sim/${script}`)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect((await response.text()).length).toBeGreaterThan(50_000)
    expect((await fetch(`${ready.url}/_sim/assets/index.html`)).status).toBe(404)
  })

  it('writes schemas with edgesim init, with instructions without npx', async () => {
    const folder = folderWith()
    const { code, out } = await edgesim(['init'], { cwd: folder })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Serve the fixture: +edgesim$/m) })
    expect(out).not.toMatch(/npx|test\.mjs/)
    const { $schema } = JSON.parse(readFileSync(join(folder, 'edgesim.config.json'), 'utf8'))
    for (const schema of [$schema, ...['fixture', 'scenario'].map(name => `edgesim/${name}.schema.json`)])
      expect(JSON.parse(readFileSync(join(folder, schema), 'utf8')).$schema, schema).toMatch(/json-schema\.org/)
    for (const [text, at] of [
      ['edgesim/fixture.yaml', 'edgesim'],
      ['edgesim/scenarios/first-write-fails.yaml', 'edgesim/scenarios'],
    ] as const) {
      const [, named] = /\$schema=(.+)/.exec(readFileSync(join(folder, text), 'utf8'))!
      expect(existsSync(join(folder, at, named!)), named).toBe(true)
    }
    expect((await edgesim(['validate', 'edgesim/fixture.yaml'], { cwd: folder })).code).toBe(0)
  })
})
