import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'
import { LONG } from '../../support/long.ts'

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
/** Each level contains the previous level ten times. */
const laughs = `a0: &a0 [x]\n${lines(9, i => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`)}`
const merges = `a0: &a0 {x: 1}\n${lines(200, i => `a${i + 1}: &a${i + 1} {<<: *a${i}, b${i}: 1}`)}`

/** Small files that take some parsers minutes or gigabytes, and the message about each. */
const BOMBS: Record<string, [yaml: string, says: RegExp]> = {
  'aliases of aliases': [laughs, /alias/i],
  'merges of merges': [merges, /more than 100 aliases/],
  'many aliases': [`a: &a x\nb: [${'*a,'.repeat(5_000)}]`, /more than 100 aliases/],
  'many anchors': ['&a '.repeat(8_000), /at most one anchor/],
  'an alias of itself': ['a: &a [*a]', /deeper than/],
  'brackets in brackets': ['['.repeat(10_000), /deeper than/],
  'braces in braces': ['{a: '.repeat(5_000), /deeper than/],
  'dashes in dashes': [`${'- '.repeat(6_000)}x`, /deeper than/],
  'question marks': [`${'? '.repeat(6_000)}x`, /deeper than/],
  'indents in indents': [lines(150, i => `${' '.repeat(i)}a:`), /deeper than/],
  'more than it reads': [`description: ${'x'.repeat(40 * 1024)}`, /limited to 40 KiB in a body\. Use JSON/],
  'many words': [`rules: [${'b,'.repeat(10_000)}b]`, /too many tokens/],
  'a key many times': ['x: y\n'.repeat(2_000), /duplicate field "x"/],
  'many keys': [lines(2_000, i => `k${i}: 1`), /unknown field "k0"/],
  'many commas': [`[${','.repeat(10_000)}]`, /Unexpected ,/],
  'many documents': ['---\n'.repeat(5_000), /a second document/],
  'many tags': ['!!str '.repeat(4_000), /at most one/],
  'code in a tag': ['name: !!js/function "function () { process.exit(1) }"', /no effect/],
  'a quote that never ends': [`"${'\\\\'.repeat(12_000)}`, /Missing closing/],
  comments: ['#\n'.repeat(12_000), /too many tokens/],
}

describe('A YAML bomb', async () => {
  const { call } = await simulate()
  let slowest = 0

  it.each(Object.entries(BOMBS))('is rejected: %s', async (_, [yaml, says]) => {
    const began = performance.now()
    const { status, body } = await call('PUT', '/_sim/scenario', { yaml })
    slowest = Math.max(slowest, performance.now() - began)
    expect(status).toBe(400)
    expect(body.problems.length).toSatisfy((count: number) => count > 0 && count <= 20)
    expect(body.msg.slice(0, 2000)).toMatch(says)
  })

  it('takes no longer than valid YAML of its length', () => {
    if (LONG) console.log(`the slowest of ${Object.keys(BOMBS).length} YAML bombs: ${slowest.toFixed(0)} ms`)
    // A generous limit, which exponential growth would exceed.
    expect(slowest).toBeLessThan(10_000)
  })
})
