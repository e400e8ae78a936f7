import { describe, expect, it } from 'vitest'
import { tableIn } from '../../support/tables.ts'
import { startServer } from './client.ts'

type Rule = Record<string, unknown>
const cases = tableIn<Record<'rejected' | 'accepted', [why: string, rules: Rule[]][]>>(
  import.meta.url,
  'unreachable.yaml',
)

const error = { type: 'error', status: 500 }
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
    const fault = { type: 'reset' }
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
