import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { edgesim, folderWith, launch, root } from '../support/cli.ts'

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
  it('completes in bash as its script says', async () => {
    const { out: script } = await edgesim(['completion', 'bash'])
    const tried = `edgesim() { "$NODE" "$PROGRAM" "$@"; }
${script}
COMP_WORDS=(edgesim --log ''); COMP_CWORD=2
_edgesim
printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { NODE: process.execPath, PROGRAM: join(root, 'bin/edgesim.js') }
    const { out } = await edgesim(['-c', tried], { command: ['bash'], env })
    expect(out.trim().split('\n')).toEqual(['pretty', 'json', 'silent'])
  })

  it('takes the last of an option given twice', async () => {
    await launch(['--port', '70000', '--port', '0']).until(/edgesim listens on/)
  })
})
