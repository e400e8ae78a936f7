import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'
import { bin, edgesim, launch } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'

it.runIf(ALL)('A usage error is in English in every locale', async () => {
  const { code, err } = await edgesim(['--prot'], { env: { LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' } })
  expect(code).toBe(2)
  expect(err).toMatch(/^edgesim: .*Did you mean --port\?/)
})

describe.concurrent('The command line', () => {
  it.runIf(ALL)('completes words in bash', async () => {
    const { out: script } = await edgesim(['completion'], { env: { SHELL: '/bin/bash' } })
    const tried = `edgesim() { "$NODE" "$PROGRAM" "$@"; }
${script}
COMP_WORDS=(edgesim --log ''); COMP_CWORD=2
_edgesim_yargs_completions
printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { NODE: process.execPath, PROGRAM: bin, SHELL: '/bin/bash' }
    const { out } = await edgesim(['-c', tried], { command: ['bash'], env })
    expect(out.trim().split('\n')).toEqual(['pretty', 'json', 'silent'])
  })

  it('names the required Node version before it loads modules', async () => {
    const [major, minor] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.match(/\d+/g)
    const as = (version: string) => {
      const preload = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
      return edgesim(['--import', preload, bin, '--version'], { command: [process.execPath] })
    }
    const older = `${major}.${minor - 1}.4`
    const says = `edgesim requires Node ${major}.${minor} or newer, got Node ${older}. Update Node.\n`
    expect(await as(older)).toEqual({ code: 1, out: '', err: says })
    expect(await as(`${major}.${minor}.0`)).toMatchObject({ code: 0, err: '' })
  })

  it.runIf(ALL)('reads a fixture from stdin, in JSON or YAML', async () => {
    const yaml = launch(['validate', '-'])
    yaml.child.stdin.end('users: [{ id: usr_a, nam: A }]\n')
    const { code, err } = await yaml.ended
    expect(code).toBe(2)
    expect(err).toMatch(/^stdin:1:22: .*Did you mean name\?$/m)
    const { child, until } = launch(['-', '--port', '0'])
    child.stdin.end(JSON.stringify({ users: [{ id: 'usr_a', admin: true }] }))
    expect(await until(/curl/)).toMatch(/^fixture: stdin\ntokens: sim_admin \(usr_a, admin\)$/m)
  })

  it.runIf(ALL)('uses the last value of a repeated option', async () => {
    await launch(['--port', '70000', '--port', '0']).until(/edgesim listens on/)
  })
})
