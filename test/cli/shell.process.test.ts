import { describe, expect, it } from 'vitest'
import { edgesim, folderWith, launch } from '../support/cli.ts'

describe.concurrent('Wrong use of the command line', () => {
  it.each([
    ['a host others can reach, without a token', ['--host', '0.0.0.0'], /--host 0\.0\.0\.0 .*--control-token/],
    [
      'the fixture as the database',
      ['fixture.json', '--db', 'fixture.json'],
      /--db and the fixture are the same file, .*fixture\.json, and a fixture is never written to/,
    ],
  ])('is refused in one line when the simulator is about to start: %s', async (_, args, line) => {
    const { code, out, err } = await edgesim(args, { cwd: folderWith({ 'fixture.json': '{}' }) })
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
    expect(err).toMatch(/^edgesim: /)
    expect(err).toMatch(line)
  })

  it('is said in English whatever the locale', async () => {
    const { code, err } = await edgesim(['--prot'], { env: { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' } })
    expect(code).toBe(2)
    expect(err).toMatch(/^edgesim: .*Did you mean --port\?/)
  })
})

describe.concurrent('The command line', () => {
  it('prints a script that completes it, and what there is to complete', async () => {
    const { code, out, err } = await edgesim(['completion'], { env: { SHELL: '/bin/bash' } })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/complete .* edgesim$/m)
    // The way that the script asks.
    expect(out).toContain('--get-yargs-completions')
    const offered = await edgesim(['--get-yargs-completions', 'edgesim', '--sce'], { env: { SHELL: '/bin/bash' } })
    expect(offered.out.trim().split('\n')).toEqual(['--scenario', '--scenarios-dir'])
  })

  it('takes the last of an option given twice', async () => {
    await launch(['--port', '70000', '--port', '0']).until(/edgesim listens on/)
  })
})
