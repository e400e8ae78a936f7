import { beforeEach, describe, expect, it, vi } from 'vitest'
import { edgesimHere } from '../support/in-process.ts'

async function offered(words: string[], shell = 'bash') {
  vi.stubEnv('SHELL', `/usr/bin/${shell}`)
  const { code, out } = await edgesimHere(['--get-yargs-completions', 'edgesim', ...words])
  expect(code).toBe(0)
  return [...new Set(out.trim().split('\n'))].filter(word => word.startsWith(words.at(-1)!))
}

const SCRIPTS: [shell: string, line: RegExp][] = [
  ['bash', /^complete .*-F _edgesim_yargs_completions edgesim$/m],
  ['zsh', /^#compdef edgesim$/m],
  ['fish', /^complete .*-c edgesim /m],
]

describe('Completion', () => {
  beforeEach(() => void vi.stubEnv('ZSH_NAME', ''))

  it.each([
    ['commands', ['v'], ['validate']],
    ['flags without a command', ['--sce'], ['--scenario', '--scenarios-dir']],
    ['flags after a file', ['my-fixture.json', '--sc'], ['--scenario', '--scenarios-dir']],
    ['command flags', ['validate', '--j'], ['--json']],
    ['no flags of other commands', ['validate', '--scenario'], []],
    ['scenarios', ['--scenario', 'fl'], ['flaky-writes']],
    ['fixtures', ['start', '--fixture', ''], ['default', 'empty']],
    ['log formats', ['--log', ''], ['pretty', 'json', 'silent']],
    ['choices of one command', ['init', '--runner', 'p'], ['playwright']],
    ['assumptions with their values', ['--assume', 'page_o'], ['page_order=newest_first', 'page_order=oldest_first']],
    ['flags after the name of an object method', ['constructor', '--sce'], ['--scenario', '--scenarios-dir']],
  ])('offers %s', async (_, words, expected) => {
    expect(await offered(words)).toEqual(expected)
  })

  it('describes each word for zsh and fish', async () => {
    expect(await offered(['--scenarios'], 'zsh')).toEqual(['--scenarios-dir:Directory of scenarios to use by name'])
    expect(await offered(['vali'], 'fish')).toEqual(['validate\tCheck fixtures and scenarios'])
  })

  it.each(SCRIPTS)('prints the script for the current shell: %s', async (shell, line) => {
    vi.stubEnv('SHELL', `/usr/bin/${shell}`)
    expect(await edgesimHere(['completion'])).toEqual({ code: 0, out: expect.stringMatching(line), err: '' })
  })
})

describe('edgesim completion SHELL', () => {
  it.each(SCRIPTS)('prints the script for %s in any shell', async (shell, line) => {
    vi.stubEnv('SHELL', shell === 'zsh' ? '/bin/bash' : '/bin/zsh')
    vi.stubEnv('ZSH_NAME', 'zsh')
    expect((await edgesimHere(['completion', shell])).out).toMatch(line)
  })

  it('lists the supported shells', async () => {
    const err = expect.stringContaining('No completion for "tcsh". Use one of bash, zsh, fish')
    expect(await edgesimHere(['completion', 'tcsh'])).toMatchObject({ code: 2, err })
  })
})

describe('edgesim exec --help', () => {
  it('shows its own defaults', async () => {
    const { out } = await edgesimHere(['exec', '--help'])
    const flat = out.replace(/\s+/g, ' ')
    expect(flat).toContain('(0: any free port) [default: 0]')
    expect(flat).toContain('(pretty, json, silent) [default: silent]')
    expect((await edgesimHere(['--help'])).out.replace(/\s+/g, ' ')).toContain('[default: 4600]')
  })
})
