import { readFileSync } from 'node:fs'
import { jsonLanguage } from '@codemirror/lang-json'
import { yamlLanguage } from '@codemirror/lang-yaml'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import fixture from '../../fixtures/fixture.schema.json'
import scenario from '../../scenarios/scenario.schema.json'
import { completionsAt, type Language, type Schema } from '../../src/dashboard/parts/code-editor/completion.ts'

type Name = 'small' | 'scenario' | 'fixture'
interface Cases {
  small: Schema
  offers: [what: string, language: Language, schema: Name, text: string, labels: string[]][]
  includes: [what: string, language: Language, schema: Name, text: string, labels: string[], others: string[]][]
  refuses: [what: string, language: Language, text: string][]
  writes: [what: string, language: Language, text: string, label: string, after: string][]
}
const cases: Cases = parse(readFileSync(new URL('completion.yaml', import.meta.url), 'utf8'))
const schemas = { small: cases.small, scenario, fixture }
const parsers = { yaml: yamlLanguage.parser, json: jsonLanguage.parser }

const completions = (language: Language, schema: Name, text: string) =>
  completionsAt(text.replace('‸', ''), text.indexOf('‸'), language, parsers[language], schemas[schema] as Schema)
const labelsOf = (...given: Parameters<typeof completions>) => completions(...given)?.options.map(({ label }) => label)

describe('Completion', () => {
  it.each(cases.offers)('offers %s in %s with the %s schema', (_, language, schema, text, labels) => {
    expect(labelsOf(language, schema, text)).toEqual(labels)
  })

  it.each(cases.includes)('includes %s in %s with the %s schema', (_, language, schema, text, labels, others) => {
    const found = labelsOf(language, schema, text)
    expect(found).toEqual(expect.arrayContaining(labels))
    expect(found!.filter(label => others.includes(label))).toEqual([])
  })

  it.each(cases.refuses)('offers nothing %s in %s', (_, language, text) => {
    expect(labelsOf(language, 'small', text) ?? []).toEqual([])
  })

  it.each(cases.writes)('writes %s in %s', (_, language, text, chosen, after) => {
    const { from, to, options } = completions(language, 'small', text)!
    const plain = text.replace('‸', '')
    const { apply } = options.find(({ label }) => label === chosen)!
    expect(`${plain.slice(0, from)}${apply}‸${plain.slice(to)}`).toBe(after)
  })

  it('explains a field and its types', () => {
    const { options } = completions('yaml', 'scenario', 'rules:\n  - lat‸')!
    expect(options.find(({ label }) => label === 'latency')).toMatchObject({
      detail: 'string or object',
      info: expect.stringContaining('200ms'),
    })
  })
})
