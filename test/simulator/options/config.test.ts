import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { edgesimHere } from '../../support/in-process.ts'

async function configOf(files: Record<string, string | object>, args: string[] = [], env?: Record<string, string>) {
  const { code, out, err } = await edgesimHere(['start', '--print-config', ...args], { cwd: folderWith(files), env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out.trim().split('\n')
}

describe('The configuration', () => {
  it('is shown with the source of each value', async () => {
    const file = { vendor: 'fromfile', assume: { page_order: 'oldest_first' }, cors: ['http://a.test'], watch: true }
    const env = { EDGESIM_VENDOR: 'fromenv', EDGESIM_HOST: '127.0.0.2', EDGESIM_CONTROL_TOKEN: 'secret' }
    const files = { 'edgesim.config.json': { ...file, seed: 7 }, 'my.json': '{}' }
    const lines = await configOf(files, ['my.json', '--host', '127.0.0.3'], env)
    expect(lines).toEqual(
      expect.arrayContaining([
        'fixture = "my.json"  (--fixture)',
        'port = 4600  (default)',
        'host = "127.0.0.3"  (--host)',
        'vendor = "fromenv"  (EDGESIM_VENDOR)',
        'seed = 7  (edgesim.config.json)',
        'assume = {"page_order":"oldest_first"}  (edgesim.config.json)',
        'cors = ["http://a.test"]  (edgesim.config.json)',
        'watch = true  (edgesim.config.json)',
        'controlToken = [set]  (EDGESIM_CONTROL_TOKEN)',
      ]),
    )
    expect(lines.join()).not.toContain('secret')
  })

  it('is an error if there are two files', async () => {
    const cwd = folderWith({ 'edgesim.config.json': { port: 4711 }, 'edgesim.config.yml': 'port: 4712\n' })
    const { code, out, err } = await edgesimHere(['--print-config'], { cwd })
    const warning = 'edgesim: Using edgesim.config.json and ignoring edgesim.config.yml. Remove one of them.\n'
    expect({ code, err }).toEqual({ code: 0, err: warning })
    expect(out).toContain('port = 4711  (edgesim.config.json)')
  })

  it('can be YAML', async () => {
    expect(await configOf({ 'edgesim.config.yaml': 'port: 4711\nassume: [page_order=oldest_first]\n' })).toEqual(
      expect.arrayContaining([
        'port = 4711  (edgesim.config.yaml)',
        'assume = {"page_order":"oldest_first"}  (edgesim.config.yaml)',
      ]),
    )
  })

  it.each([
    ['edgesim.config.json', '{\n  "prot": 1\n}', '2:3', /unknown field "prot"\. Did you mean port\?/],
    ['edgesim.config.yaml', 'vendor: a\nprot: 1\n', '2:1', /Did you mean port\?/],
    ['edgesim.config.json', '{\n  "vendor": "a",\n  "port": "x"\n}', '3:3', /port: must be an integer, got "x"/],
    ['edgesim.config.yml', 'log: lod\n', '1:1', /log: must be one of pretty, json, silent, got "lod"/],
    ['edgesim.config.json', '{ "assume": { "page_oder": "x" } }', '1:3', /Did you mean page_order\?/],
    ['edgesim.config.json', '{ "cors": "http://a.test" }', '1:3', /cors: must be a list of strings/],
    ['edgesim.config.json', '{ "clock": "noon" }', '1:3', /clock: must be an RFC 3339 time/],
    ['edgesim.config.json', '[]', '1:1', /must be an object of options/],
    ['edgesim.config.json', '{ "port": }', '1:11', /invalid JSON/],
  ])('is rejected with the position of the error: %s %j', async (name, text, place, message) => {
    const { code, out, err } = await edgesimHere(['--print-config'], { cwd: folderWith({ [name]: text }) })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(new RegExp(`^\\S*${name.replaceAll('.', '\\.')}:${place}: `))
    expect(err).toMatch(message)
  })
})
