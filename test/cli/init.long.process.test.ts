import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFiles } from '../support/afterwards.ts'
import { program, projectWith, run } from '../support/as-process.ts'
import { LONG, PATIENT } from '../support/long.ts'

const BARE = `import { expect } from 'vitest'
import { test } from 'edgesim/vitest'
test('reads the configuration', async ({ sandbox }) => {
  expect((await sandbox.state()).api_keys).toHaveLength(1)
})`

const folder = await projectWith(['vitest', '@playwright/test'])
const bin = program(folder, 'edgesim/bin/edgesim.js')

describe('edgesim init', () => {
  it('writes valid files and passing tests, for vitest and Playwright', async () => {
    const out = await run(bin, ['init'], folder)
    expect(out).toMatch(/^wrote {4}edgesim\/fixture\.yaml\nwrote {4}edgesim\/scenarios\/first-write-fails\.yaml\n/)
    expect(out).toContain('npx edgesim exec -- npx vitest run edgesim')
    const again = await run(bin, ['init', '--runner', 'playwright'], folder)
    expect(again).toMatch(/^skipped {2}edgesim\/fixture\.yaml \(already exists\)/)
    expect(again).toMatch(/^wrote {4}edgesim\/api-keys\.spec\.mjs$/m)

    const files = ['edgesim/fixture.yaml', 'edgesim/scenarios/first-write-fails.yaml']
    expect(await run(bin, ['validate', ...files], folder)).toMatch(
      /valid fixture.*\n.*valid scenario "first-write-fails" \(1 rule\)/,
    )
    const schema = /\$schema=(\S+)/.exec(readFileSync(join(folder, 'edgesim/fixture.yaml'), 'utf8'))![1]!
    expect(() => readFileSync(join(folder, 'edgesim', schema))).not.toThrow()

    const vitest = program(folder, 'vitest/vitest.mjs')
    const playwright = program(folder, '@playwright/test/cli.js')
    // The configured fixture has one key, the default fixture three.
    writeFiles(folder, { 'edgesim/bare.test.mjs': BARE })
    const byVitest = await run(vitest, ['run', ...PATIENT, 'api-keys.test', 'bare'], folder, { NO_COLOR: '1' })
    expect(byVitest).toMatch(/Tests {2}2 passed/)
    const args = ['exec', '--', ...playwright, 'test', 'edgesim/api-keys.spec.mjs']
    if (LONG) expect(await run(bin, args, folder)).toMatch(/1 passed/)
    const config = JSON.parse(readFileSync(join(folder, 'edgesim.config.json'), 'utf8'))
    expect(JSON.parse(readFileSync(join(folder, config.$schema), 'utf8')).title).toBe('edgesim configuration')
  })
})
