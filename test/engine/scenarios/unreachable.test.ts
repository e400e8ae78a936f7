import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startServer } from './client.ts'

type Rule = Record<string, unknown>
const cases: Record<'rejected' | 'accepted', [why: string, rules: Rule[]][]> = parse(
  readFileSync(new URL('unreachable.yaml', import.meta.url), 'utf8'),
)

const error = { type: 'error', status: 500 }
const reset = { type: 'reset' }
const on = (when: object, more: object = { fault: error }): Rule => ({ when, ...more })
const READS = ['list_api_keys', 'get_api_key']

const server = await startServer()
const check = async (rules: Rule[]) => (await server.control('PUT', '/scenario?dry_run=true', { rules })).body

describe('A rule that can never fire is rejected', () => {
  it.each(cases.rejected)('%s', async (_, rules) => {
    expect((await check(rules)).msg).toContain(
      'rules[1]: can never fire, because the fault of rules[0] acts on every call it matches',
    )
  })

  it('behind a fault on more edges', async () => {
    const fault = reset
    const rules = [on({ edge: ['edgtcp_ssh', 'edghts_web'] }, { fault }), on({ edge: 'edghts_web' }, { fault })]
    expect((await check(rules)).msg).toContain('the fault of rules[0] acts on everything it matches')
  })

  it('with the rule that hides it', async () => {
    const { msg } = await check([
      on({ operation: READS[0] }),
      on({ method: 'GET' }),
      ...READS.map(id => on({ operation: id })),
    ])
    expect(msg).toMatch(
      /rules\[2\]: can never fire, because the fault of rules\[0\].*rules\[3\]: can never fire, because the fault of rules\[1\]/s,
    )
  })
})

describe('A rule is accepted', () => {
  it.each(cases.accepted)('%s', async (_, rules) => {
    expect(await check(rules)).toMatchObject({ valid: true, rules: rules.length })
  })
})

it('A rule on a route path matches every call of the route, even with a slash in the id', async () => {
  const client = await server.underRules(on({ path: '/api_keys/{id}' }))
  expect((await client.send('GET', '/api_keys/a%2Fb')).status).toBe(500)
})
