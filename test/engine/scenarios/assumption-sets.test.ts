import { describe, expect, it } from 'vitest'
import { expandAssumed, valuesOf } from '../../../src/engine/assumptions.ts'
import { assumptionSets, ngrokAssumptions } from '../../../src/ngrok/questions.ts'
import { folderWith } from '../../support/afterwards.ts'
import { edgesimHere, simulate } from '../../support/in-process.ts'

const { ngrok } = assumptionSets

describe('An assumption set', () => {
  it.each(Object.entries(ngrok))('has a value for %s that differs from the default: %s', (name, value) => {
    const [usual, ...others] = valuesOf(ngrokAssumptions, name as keyof typeof ngrok)
    expect(others).toContain(value)
    expect(value).not.toBe(usual)
  })

  it('omits unset strings like recorded responses, and preserves policies that an update omits', () => {
    expect(ngrok).not.toHaveProperty('unset_text')
    expect(ngrok).toHaveProperty('empty_policy_list_on_update', 'keep')
  })

  it.each([
    ['by name', 'ngrok', ngrok],
    ['in a list', ['ngrok'], ngrok],
    ['with an assumption, which wins', ['ngrok', 'unknown_query=ignore'], { ...ngrok, unknown_query: 'ignore' }],
    ['after an assumption, which wins', ['unknown_query=ignore', 'ngrok'], { ...ngrok, unknown_query: 'ignore' }],
    ['with others', ['page_order=oldest_first', 'ngrok'], { ...ngrok, page_order: 'oldest_first' }],
  ])('can be used %s', (_, given, expected) => expect(expandAssumed(ngrokAssumptions, given)).toEqual(expected))

  it('in a flag overrides a set in a scenario', async () => {
    const scenario = { name: 'other', assume: { unknown_query: 'ignore', page_order: 'oldest_first' } } as const
    const { call } = await simulate({ assume: 'ngrok', scenario })
    const { body } = await call('GET', '/_sim/assumptions')
    const values = body.assumptions.map(({ name, value }: { name: string; value: string }) => [name, value])
    expect(Object.fromEntries(values)).toMatchObject({ ...ngrok, page_order: 'oldest_first' })
  })

  it('is shown by a scenario as single assumptions', async () => {
    const { call } = await simulate()
    await call('PUT', '/_sim/scenario', { name: 'set', assume: ['ngrok', 'unknown_query=ignore'] })
    expect((await call('GET', '/_sim/scenario')).body.assume).toEqual({ ...ngrok, unknown_query: 'ignore' })
  })

  it('is accepted by the command line, the environment and the configuration file', async () => {
    const shown = `assume = ${JSON.stringify({ ...ngrok, unknown_query: 'ignore' })}`
    const args = ['--assume', 'ngrok', '--assume', 'unknown_query=ignore']
    expect((await edgesimHere([...args, '--print-config'])).out).toContain(shown)
    const env = { EDGESIM_ASSUME: 'unknown_query=ignore,ngrok' }
    expect((await edgesimHere(['--print-config'], { env })).out).toContain(shown)
    for (const assume of ['[ngrok, unknown_query=ignore]', 'ngrok']) {
      const cwd = folderWith({ 'edgesim.config.yaml': `assume: ${assume}\n` })
      const { out } = await edgesimHere(['--print-config'], { cwd })
      expect(out).toContain(assume === 'ngrok' ? `assume = ${JSON.stringify(ngrok)}` : shown)
    }
    const { out } = await edgesimHere(['assumptions', '--assume', 'ngrok'])
    for (const [name, value] of Object.entries(ngrok)) expect(out).toContain(`${name} = ${value}\n`)
  })

  it.each([
    ['on the command line', ['--assume', 'ngork'], /unknown assumption "ngork"\. Did you mean ngrok\?/],
    ['with a value', ['--assume', 'ngrok=yes'], /unknown assumption "ngrok"/],
  ])('with an unknown name is rejected %s', async (_, args, says) => {
    expect(await edgesimHere(args)).toMatchObject({ code: 2, err: expect.stringMatching(says) })
  })
})
