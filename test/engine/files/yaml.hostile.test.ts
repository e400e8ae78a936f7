import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'
import { LONG } from '../../support/long.ts'

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
/** Each level contains the previous level ten times. */
const laughs = `a0: &a0 [x]\n${lines(9, i => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`)}`
const merges = `a0: &a0 {x: 1}\n${lines(200, i => `a${i + 1}: &a${i + 1} {<<: *a${i}, b${i}: 1}`)}`

/** Fewer in a short run, but enough to be rejected. */
const many = (count: number) => (LONG ? count : count / 10)

/** Small files that take some parsers minutes or gigabytes. */
const BOMBS: Record<string, string> = {
  'aliases of aliases': laughs,
  'merges of merges': merges,
  'many aliases': `a: &a x\nb: [${'*a,'.repeat(many(50_000))}]`,
  'many anchors': '&a '.repeat(many(80_000)),
  'an alias of itself': 'a: &a [*a]',
  'brackets in brackets': '['.repeat(many(100_000)),
  'braces in braces': '{a: '.repeat(many(50_000)),
  'dashes in dashes': `${'- '.repeat(many(60_000))}x`,
  'question marks': `${'? '.repeat(many(60_000))}x`,
  'indents in indents': lines(600, i => `${' '.repeat(i)}a:`),
  'more than it reads': `description: ${'x'.repeat(300 * 1024)}`,
  'a key many times': 'x: y\n'.repeat(many(50_000)),
  'many keys': lines(many(20_000), i => `k${i}: 1`),
  'many commas': `[${','.repeat(many(200_000))}]`,
  'many documents': '---\n'.repeat(many(50_000)),
  'many tags': '!!str '.repeat(many(40_000)),
  'code in a tag': 'name: !!js/function "function () { process.exit(1) }"',
  'a quote that never ends': `"${'\\\\'.repeat(many(120_000))}`,
  comments: '#\n'.repeat(many(120_000)),
}

describe('A YAML bomb', async () => {
  const { call } = await simulate()
  let slowest = 0

  it.each(Object.entries(BOMBS))('is rejected: %s', async (_, yaml) => {
    const began = performance.now()
    const { status, body } = await call('PUT', '/_sim/scenario', { yaml })
    slowest = Math.max(slowest, performance.now() - began)
    expect(status).toBe(400)
    expect(body.problems.length).toBeGreaterThan(0)
  })

  it('takes no longer than valid YAML of its length', () => {
    if (LONG) console.log(`the slowest of ${Object.keys(BOMBS).length} YAML bombs: ${slowest.toFixed(0)} ms`)
    // A generous limit, which exponential growth would exceed.
    expect(slowest).toBeLessThan(10_000)
  })
})
