import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultKinds } from '../../../src/engine/scenarios/faults/index.ts'
import { scenarioMembersOf } from '../../../src/engine/scenarios/schema.ts'
import { whenOf } from '../../../src/engine/scenarios/when.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { root } from '../../support/afterwards.ts'

const text = readFileSync(join(root, 'docs/scenarios.md'), 'utf8')
const faults = faultKinds.map(({ type, settings }) => ({ type, settings: Object.keys(settings) }))

describe('docs/scenarios.md', () => {
  it.each(Object.keys(scenarioMembersOf(ngrok)).filter(name => name !== '$schema'))('explains the field %s', name => {
    expect(text).toMatch(new RegExp(`^\\| (\`\\w+\`, )?\`${name}\``, 'm'))
  })

  it.each(whenOf(ngrok).conditions)('explains %s in when', name => {
    expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'))
  })

  it.each(['probability', 'times', 'latency', 'fault', 'rate_limit'])('explains the rule setting %s', name => {
    expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'))
  })

  it.each(faults)('explains the fault $type with all its settings', ({ type, settings }) => {
    const row = text.split('\n').find(line => line.startsWith(`| \`${type}\` |`))
    expect(row).toBeDefined()
    for (const name of settings) expect(row).toContain(`\`${name}\``)
  })
})

it('Every fault has its file and its test', () => {
  const files = readdirSync(join(root, 'src/engine/scenarios/faults')).filter(file => file !== 'index.ts')
  expect(files.map(file => file.replace('.ts', '')).sort()).toEqual(faults.map(({ type }) => type).sort())
  const tests = readdirSync(join(root, 'test/engine/scenarios/faults'))
  const tested = tests.map(file => readFileSync(join(root, 'test/engine/scenarios/faults', file), 'utf8')).join('')
  expect(faults.filter(({ type }) => !tested.includes(`'${type}'`))).toEqual([])
})
