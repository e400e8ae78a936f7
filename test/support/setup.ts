import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeEach, expect } from 'vitest'
import { fileName, finishFile } from './afterwards.ts'

/** Vitest runs this once for every file of tests, before it. */
afterAll(async () => {
  await finishFile()
  const left = readdirSync(tmpdir()).filter(name => name.startsWith(`edgesim-${process.pid}-`))
  if (left.length > 0) throw new Error(`${fileName()} has not closed the simulators of ${left.join(', ')}`)
})

/**
 * A test that asserts nothing fails. Vitest cannot tell which of several concurrent tests an assertion belongs to, and
 * does not count those of Playwright, with which tests of the page wait for what it shows. Benchmarks only report.
 */
beforeEach(({ task }) => {
  const { name } = task.file
  if (!task.concurrent && name.endsWith('.test.ts') && !name.includes('/dashboard/')) expect.hasAssertions()
})
