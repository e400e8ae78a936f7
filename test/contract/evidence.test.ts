import { describe, expect, it } from 'vitest'
import { GRADES } from '../../src/contract/evidence.ts'
import type { Assumption } from '../../src/engine/question.ts'
import { assumptionSets, assumptions } from '../../src/ngrok/questions.ts'
import { evidenceFile } from '../support/evidence.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'

const rows = Object.entries<Assumption>(assumptions)
const evidenceOf = (name: string) => (assumptions as Record<string, Assumption>)[name]?.evidence ?? []

async function printed(name: string, ...args: string[]) {
  const { code, out } = await edgesimHere(['assumptions', ...args])
  expect(code).toBe(0)
  return out.split('\n\n').find(part => part.startsWith(`${name} = `))
}

describe('The evidence of an assumption', () => {
  it.each(Object.entries(assumptionSets.ngrok))('supports the value of --assume ngrok for %s: %s', (name, value) => {
    expect(evidenceOf(name).map(source => source.value)).toContain(value)
  })

  it('supports only valid values', () => {
    const unknown = rows.flatMap(([name, { evidence = [], values }]) =>
      evidence.flatMap(({ value }) => (value === undefined || values.includes(value) ? [] : `${name}=${value}`)),
    )
    expect(unknown).toEqual([])
  })

  it('is on the control plane with its grades, or as an empty list', async () => {
    const { call } = await simulate({ assume: 'ngrok' })
    const { assumptions: shown } = (await call('GET', '/_sim/assumptions')).body
    const of = (name: string) => shown.find((each: { name: string }) => each.name === name)
    for (const [name] of rows) expect(of(name).evidence).toEqual(evidenceOf(name))
    expect(of('absent_module')).toMatchObject({ evidence: [], sources_differ: false, sets: {} })
    expect(of('unknown_query')).toMatchObject({ value: 'reject', sets: { ngrok: 'reject' }, sources_differ: false })
    expect(of('unset_text')).toMatchObject({ value: 'omit', sets: {}, sources_differ: true })
    const grades = shown.flatMap(({ evidence }: Required<Assumption>) => evidence.map(({ grade }) => grade))
    expect(Object.keys(GRADES)).toEqual(expect.arrayContaining([...new Set(grades)]))
  })

  it('is printed as missing, and next to the changes of a set', async () => {
    expect(await printed('absent_module')).toContain('\n  assumed: No known public source.\n')
    expect(await printed('rate_limit')).toMatch(/\n {2}No probe: It would send more requests than/)
    expect(await printed('page_size')).toMatch(/\n {2}documented: ngrok's pages on lists/)
    const query = await printed('unknown_query', '--assume', 'ngrok')
    expect(query).toMatch(/^unknown_query = reject\n(.*\n)* {2}documented, for reject: /)
    expect(query).toMatch(/\n {2}--assume ngrok sets it to reject\n/)
  })
})

const VERDICTS = {
  page_order: { value: 'oldest_first' },
  page_size: { value: assumptions.page_size.values[0] },
  unset_text: { value: 'omit' },
  edges: { undecided: `<b>none</b>\u001b[31m\n${'long '.repeat(1000)}` },
  absent_module: { none_known: { status: 422, body: { msg: 'string' } } },
  list_filter: { value: 'a value of another version' },
}
const SAYS = {
  value: 'api.ngrok.com returned it on 2026-11-17.',
  undecided: 'The probe of api.ngrok.com on 2026-11-17 was undecided: <b>none</b>\\u001b[31m\\u000along long ',
  none_known: 'api.ngrok.com returned a response that matches no value on 2026-11-17, with status 422.',
}

describe('A probe result', () => {
  it('is on the control plane as the first evidence of an assumption', async () => {
    const { call } = await simulate({ assume: [evidenceFile(VERDICTS), 'unset_text=empty'] })
    for (const path of ['/_sim/assumptions', '/_sim/sandboxes/default/assumptions']) {
      const { assumptions: shown } = (await call('GET', path)).body
      const of = (name: string) => shown.find((each: { name: string }) => each.name === name)
      expect(of('page_order')).toMatchObject({ value: 'oldest_first', sources_differ: true })
      expect(of('page_order').evidence).toEqual([
        { grade: 'probed', value: 'oldest_first', says: SAYS.value },
        ...evidenceOf('page_order'),
      ])
      expect(of('page_size').evidence[0]).toMatchObject({ grade: 'probed', value: of('page_size').value })
      expect(of('unset_text')).toMatchObject({ value: 'empty', evidence: [{ grade: 'probed', value: 'omit' }, {}, {}] })
      expect(of('absent_module')).toMatchObject({ value: 'not_found', sources_differ: false })
      expect(of('absent_module').evidence).toEqual([{ grade: 'probed', says: SAYS.none_known }])
      const [undecided, ...others] = of('edges').evidence
      expect(undecided).toEqual({ grade: 'probed', says: expect.stringContaining(SAYS.undecided) })
      expect(undecided.says.length).toBeLessThan(500)
      expect(others).toEqual(evidenceOf('edges'))
      for (const name of ['list_filter', 'missing_version']) expect(of(name).evidence).toEqual(evidenceOf(name))
    }
  })

  it('is printed before public sources', async () => {
    const file = evidenceFile(VERDICTS)
    const [documented] = evidenceOf('page_order')
    expect(await printed('page_order', '--assume', file)).toBe(
      [
        'page_order = oldest_first',
        `${assumptions.page_order.question} (docs/api.md 4)`,
        assumptions.page_order.why,
        `probed, for oldest_first: ${SAYS.value}`,
        `documented, for newest_first: ${documented!.says}`,
        'The sources differ.',
        '--assume page_order=oldest_first',
        'edgesim probe --run page_order',
      ].join('\n  '),
    )
    expect(await printed('edges', '--assume', file)).toContain(`\n  probed: ${SAYS.undecided}`)
    expect(await printed('absent_module', '--assume', file)).toContain(`\n  probed: ${SAYS.none_known}\n`)
    expect(await printed('list_filter', '--assume', file)).not.toContain('probed')
  })
})
