import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assumptionSets, assumptions, valuesOf } from '../../src/contract/assumptions.ts'
import { folderWith } from '../support/afterwards.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'

const { ngrok } = assumptionSets

/** What differs from the defaults. */
async function changed(options: Parameters<typeof simulate>[0]) {
  const { call } = await simulate(options)
  const { body } = await call('GET', '/_sim/assumptions')
  const others = body.assumptions.filter((each: { value: string; default: string }) => each.value !== each.default)
  return Object.fromEntries(others.map(({ name, value }: { name: string; value: string }) => [name, value]))
}

describe('A set of assumptions', () => {
  it.each(Object.entries(ngrok))('has a sourced value for %s that differs from the default: %s', (name, value) => {
    const row = assumptions[name as keyof typeof ngrok]
    expect(valuesOf(name as keyof typeof ngrok)).toContain(value)
    expect(value).not.toBe(row.values[0])
    expect(row.evidence).toMatch(/^ngrok/)
  })

  it.each([
    ['by its name', 'ngrok', ngrok],
    ['in a list', ['ngrok'], ngrok],
    ['under a single one, which wins', ['ngrok', 'unset_text=omit'], { ...ngrok, unset_text: 'omit' }],
    ['under a single one that comes before it', ['unset_text=omit', 'ngrok'], { ...ngrok, unset_text: 'omit' }],
    ['beside others', ['page_order=oldest_first', 'ngrok'], { ...ngrok, page_order: 'oldest_first' }],
  ])('can be used %s', async (_, assume, wanted) => {
    const expected = Object.fromEntries(
      Object.entries(wanted).filter(([name, value]) => value !== assumptions[name as 'unset_text'].values[0]),
    )
    expect(await changed({ assume })).toEqual(expected)
    expect(await changed({ scenario: { name: 'set', assume } as never })).toEqual(expected)
  })

  it('of a flag overrides that of a scenario', async () => {
    const scenario = { name: 'other', assume: { unset_text: 'omit', page_order: 'oldest_first' } } as const
    expect(await changed({ assume: 'ngrok', scenario })).toEqual({ ...ngrok, page_order: 'oldest_first' })
  })

  it('is shown by a scenario as its single assumptions', async () => {
    const { call } = await simulate()
    await call('PUT', '/_sim/scenario', { name: 'set', assume: ['ngrok', 'unknown_query=ignore'] })
    expect((await call('GET', '/_sim/scenario')).body.assume).toEqual({ ...ngrok, unknown_query: 'ignore' })
  })

  it('is accepted by the command line, the environment and the configuration file', async () => {
    const shown = `assume = ${JSON.stringify({ ...ngrok, unset_text: 'omit' })}`
    const args = ['--assume', 'ngrok', '--assume', 'unset_text=omit']
    expect((await edgesimHere([...args, '--print-config'])).out).toContain(shown)
    const env = { EDGESIM_ASSUME: 'unset_text=omit,ngrok' }
    expect((await edgesimHere(['--print-config'], { env })).out).toContain(shown)
    for (const assume of ['[ngrok, unset_text=omit]', 'ngrok']) {
      const cwd = folderWith({ 'edgesim.config.yaml': `assume: ${assume}\n` })
      const { out } = await edgesimHere(['--print-config'], { cwd })
      expect(out).toContain(assume === 'ngrok' ? `assume = ${JSON.stringify(ngrok)}` : shown)
    }
    const { out } = await edgesimHere(['assumptions', '--assume', 'ngrok'])
    expect(out).toMatch(/^unset_text = empty\n( {2}.+\n)* {2}ngrok's SDKs expect an empty string/m)
  })

  it.each([
    ['on the command line', ['--assume', 'ngork'], /there is no assumption "ngork"\. Did you mean ngrok\?/],
    ['with a value', ['--assume', 'ngrok=yes'], /there is no assumption "ngrok"/],
  ])('that does not exist is refused %s', async (_, args, says) => {
    const { code, err } = await edgesimHere(args)
    expect(code).toBe(2)
    expect(err).toMatch(says)
  })

  it.each([
    ['assume: ngork\n', /there is no such assumption.*ngrok/],
    ['assume: [ngrok, page_order]\n', /one of newest_first, oldest_first/],
    ['assume: 7\n', /assume/],
  ])('that does not exist is refused in a scenario: %s', async (text, says) => {
    const folder = folderWith({ 'wrong.yaml': `name: wrong\n${text}` })
    const { code, err, out } = await edgesimHere(['validate', join(folder, 'wrong.yaml')])
    expect(code).toBe(2)
    expect(out + err).toMatch(says)
  })
})
