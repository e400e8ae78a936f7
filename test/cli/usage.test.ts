import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Command, commands } from '../../src/cli/commands/commands.ts'
import { toFlag } from '../../src/cli/resolve.ts'
import { version } from '../../src/engine/files/package.ts'
import { optionNames } from '../../src/simulator/options/options.ts'
import { folderWith } from '../support/afterwards.ts'
import { edgesimHere } from '../support/in-process.ts'
import { tableIn } from '../support/tables.ts'

async function refused(args: string[], env?: Record<string, string>) {
  const cwd = folderWith({ 'fixture.json': '{}' })
  const { code, out, err } = await edgesimHere(args, { env, cwd })
  expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
  expect(err).toMatch(/^edgesim: /)
  expect(readdirSync(cwd)).toEqual(['fixture.json'])
  return err
}

const refusals: [what: string, args: string[], line: string][] = tableIn(import.meta.url, 'usage.yaml')

describe('A usage error', () => {
  it.each(refusals)('is rejected: %s', async (_, args, line) => {
    expect(await refused(args)).toMatch(new RegExp(line, 'm'))
  })

  it('is rejected: an API key over plain HTTP', async () => {
    const args = ['import', '--out', 'a.json', '--url', 'http://example.com']
    expect(await refused(args, { EDGESIM_API_KEY: 'k' })).toMatch(/must use HTTPS, because the API key is sent there/)
  })

  it('names the variable with the wrong value', async () => {
    expect(await refused([], { EDGESIM_PORT: 'abc' })).toMatch(/EDGESIM_PORT: must be an integer, got "abc"/)
    expect(await refused([], { EDGESIM_FRESH: 'maybe' })).toMatch(/EDGESIM_FRESH: must be true or false, got "maybe"/)
    expect(await refused([], { EDGESIM_ASSUME: 'page_order=x' })).toMatch(/EDGESIM_ASSUME: page_order must be one of/)
  })
})

describe('The command line', () => {
  it('lists commands and options with --help', async () => {
    const { code, out } = await edgesimHere(['--help'])
    expect(code).toBe(0)
    for (const word of ['validate', 'assumptions', 'openapi', '--port', '--vendor', '--db', '--log'])
      expect(out).toContain(word)
  })

  it('accepts help as a command, and -v', async () => {
    const help = await edgesimHere(['--help'])
    expect(await edgesimHere(['help'])).toEqual(help)
    expect(await edgesimHere(['help', 'exec'])).toEqual(await edgesimHere(['exec', '--help']))
    expect(await edgesimHere(['-v'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it.each(Object.entries<Command>(commands))('shows examples and options with %s --help', async (name, command) => {
    const { code, out, err } = await edgesimHere([name, '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(new RegExp(`^edgesim ${command.usage.replace(/[[\]]/g, '\\$&')}`, 'm'))
    const shownExamples = out.slice(out.indexOf('Examples:')).split(/\s+/)
    expect(shownExamples).toEqual(
      expect.arrayContaining(command.examples.flatMap(pair => pair.join(' ').trim().split(' '))),
    )
    const shown = [...out.matchAll(/^ +(?:-\w, )?--([\w-]+)/gm)].map(([, flag]) => flag)
    expect(shown).toEqual(expect.arrayContaining(Object.keys(command.own ?? {})))
    for (const option of optionNames.filter(each => each !== 'fixture' || !command.positional))
      expect(shown.includes(toFlag(option)), option).toBe(
        command.options.includes(option) || Object.hasOwn(command.own ?? {}, toFlag(option)),
      )
  })

  it('lists every assumption with its value and flag', async () => {
    const { code, out } = await edgesimHere(['assumptions', '--assume', 'page_order=oldest_first'])
    expect(code).toBe(0)
    expect(out).toMatch(/^missing_version = reject\n( {2}.+\n)+ {2}--assume missing_version=accept\n/m)
    expect(out).toMatch(/^page_order = oldest_first$/m)
    expect(out).toMatch(/^empty_policy_list_on_update = clear\n( {2}.+\n)+ {2}--assume \w+=keep\|reject\n/m)
    expect(out).toMatch(/^error_shape = .+$/m)
  })
})
