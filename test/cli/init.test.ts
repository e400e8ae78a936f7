import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { init } from '../../src/cli/commands/init.ts'
import { folderWith } from '../support/afterwards.ts'
import { edgesimHere } from '../support/in-process.ts'
import { terminalWith } from './terminal.ts'

const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8')

/** In a terminal, `edgesim init` reads what was typed. */
async function initWith(typed: string, folder = folderWith()) {
  const printed = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map(each => each.mockImplementation(() => {}))
  const terminal = terminalWith(typed)
  try {
    return { folder, code: await init({ runner: 'vitest' }, folder, terminal), shown: terminal.shown() }
  } finally {
    for (const each of printed) each.mockRestore()
  }
}

describe('edgesim init', () => {
  it('writes the vendor to the configuration, and its header to the test', async () => {
    const cwd = folderWith()
    expect(await edgesimHere(['init', '--vendor', 'ngrok', '--runner', 'vitest'], { cwd })).toMatchObject({ code: 0 })
    const config = { vendor: 'ngrok', fixture: 'edgesim/fixture.yaml' }
    expect(JSON.parse(read(cwd, 'edgesim.config.json'))).toMatchObject(config)
    expect(read(cwd, 'edgesim/api-keys.test.mjs')).toContain("'ngrok-version': '2'")
    const again = await edgesimHere(['init', '--runner', 'playwright'], { cwd })
    expect(again.out).not.toContain('"vendor"')
    expect(read(cwd, 'edgesim/api-keys.spec.mjs')).toContain("'ngrok-version': '2'")
    const other = await edgesimHere(['init', '--vendor', 'acme'], { cwd })
    expect(other.out).toContain('To use this vendor, add "vendor": "acme" to edgesim.config.json.')
    const wrong = await edgesimHere(['init', '--vendor', 'a b'], { cwd })
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--vendor: must be a letter') })
  })

  it.each([
    ['Ngrok-Version\r', 'ngrok'],
    ['x-y\rngrok\r', 'ngrok'],
    ['\r', undefined],
  ])('asks for the version header in a terminal: %j', async (typed, vendor) => {
    const { folder, code, shown } = await initWith(typed)
    expect(code).toBe(0)
    expect(shown).toContain('Which version header does your client send?')
    expect(JSON.parse(read(folder, 'edgesim.config.json')).vendor).toBe(vendor)
  })

  it('does not ask if there is a configuration file', async () => {
    const own = '{ "vendor": "mine" }'
    const { folder, code, shown } = await initWith('', folderWith({ 'edgesim.config.json': own }))
    expect([code, shown]).toEqual([0, ''])
    expect(read(folder, 'edgesim.config.json')).toBe(own)
    expect(read(folder, 'edgesim/api-keys.test.mjs')).toContain("'mine-version': '2'")
  })

  it('writes nothing if the question is cancelled', async () => {
    const { folder, code } = await initWith('ngr\u0003')
    expect([code, existsSync(join(folder, 'edgesim'))]).toEqual([1, false])
  })
})
