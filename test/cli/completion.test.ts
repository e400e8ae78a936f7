import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { edgesimHere } from '../support/in-process.ts'

/** What a shell would offer after these words, the last of which is unfinished. */
async function offered(words: string[], shell = 'bash', cwd?: string) {
  const { code, out } = await edgesimHere(['--complete', shell, ...words], { cwd })
  expect(code).toBe(0)
  return out.split('\n').filter(Boolean)
}

describe('Completion', () => {
  it.each([
    ['commands', ['v'], ['validate']],
    ['fixtures, for they can be the first word too', ['em'], ['empty']],
    ['flags without a command', ['--sce'], ['--scenario', '--scenarios-dir']],
    ['flags after a file', ['my-fixture.json', '--sc'], ['--scenario', '--scenarios-dir']],
    ['flags of the command', ['validate', '--j'], ['--json']],
    ['no flags that the command does not have', ['validate', '--scenario'], []],
    ['scenarios', ['--scenario', 'fl'], ['flaky-writes']],
    ['fixtures', ['start', '--fixture', ''], ['default', 'empty']],
    ['kinds of log', ['--log', ''], ['pretty', 'json', 'silent']],
    ['choices of a command’s own', ['init', '--runner', 'p'], ['playwright']],
    ['assumptions with their values', ['--assume', 'page_o'], ['page_order=newest_first', 'page_order=oldest_first']],
    ['values after the =, as bash splits it', ['--assume', 'page_order', '=', 'o'], ['oldest_first']],
    ['values just after the =', ['--assume', 'page_order', '='], ['newest_first', 'oldest_first']],
    ['assumptions to vary, the second too', ['exec', '--vary', 'page_order', 'missing'], ['missing_version']],
    ['the shells it knows', ['completion', 'z'], ['zsh']],
    ['nothing where a file is meant', ['validate', ''], []],
    ['nothing where any text is meant', ['--db', 'st'], []],
    ['flags after a word that every object has', ['constructor', '--sce'], ['--scenario', '--scenarios-dir']],
  ])('offers %s', async (_, words, expected) => {
    expect(await offered(words)).toEqual(expected)
  })

  it('offers all commands and fixtures for the first word', async () => {
    expect(await offered([''])).toEqual(expect.arrayContaining(['start', 'exec', 'completion', 'default', 'empty']))
  })

  it('finds scenarios in the folder of --scenarios-dir', async () => {
    const cwd = folderWith({ 'slow-monday.yaml': 'rules: [{ latency: 1s }]' })
    expect(await offered(['--scenarios-dir', '.', '--scenario', 'slow-m'], undefined, cwd)).toEqual(['slow-monday'])
  })

  it('gives zsh and fish a description of each word', async () => {
    expect(await offered(['--scenarios'], 'zsh')).toEqual([
      '--scenarios-dir:A folder of scenarios that can be given by name',
    ])
    expect(await offered(['vali'], 'fish')).toEqual(['validate\tCheck fixtures and scenarios'])
  })

  it.each([
    ['bash', ['bash'], /^complete .*-F _edgesim edgesim$/m],
    ['zsh', ['zsh'], /^#compdef edgesim$/m],
    ['fish', ['fish'], /^complete -c edgesim /m],
    ['the shell in use', [], /^#compdef edgesim$/m],
  ])('prints the script of %s', async (_, args, line) => {
    const { code, out, err } = await edgesimHere(['completion', ...args], { env: { SHELL: '/usr/bin/zsh' } })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(line)
  })

  it.each([
    [['csh'], 'there is no script for csh'],
    [[], 'SHELL is "tcsh"'],
  ])('names the shells that are supported: completion %s', async (args, why) => {
    const { code, err } = await edgesimHere(['completion', ...args], { env: { SHELL: '/bin/tcsh' } })
    expect(code).toBe(2)
    expect(err).toBe(`edgesim: completion: ${why}. Write edgesim completion SHELL, with one of bash, zsh, fish.\n`)
  })
})

describe('The help of exec', () => {
  it('shows the defaults of exec', async () => {
    const { out } = await edgesimHere(['exec', '--help'])
    const flat = out.replace(/\s+/g, ' ')
    expect(flat).toContain('0 takes any that is free [default: 0]')
    expect(flat).toContain('(pretty, json, silent) [default: silent]')
    expect((await edgesimHere(['--help'])).out.replace(/\s+/g, ' ')).toContain('[default: 4600]')
  })
})
