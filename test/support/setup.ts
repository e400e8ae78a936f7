import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeEach, expect, vi } from 'vitest'
import { fileName, finishFile } from './afterwards.ts'

/** Files share their process, so each leaves it as it was. Vitest adds variables of its own. */
const directory = process.cwd()
const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
const before = environment()

/** Vitest runs this once for every file of tests, before it. */
afterAll(async () => {
  await finishFile()
  vi.unstubAllEnvs()
  const left = readdirSync(tmpdir()).filter(name => name.startsWith(`edgesim-${process.pid}-`))
  if (left.length > 0) throw new Error(`${fileName()} has not closed the simulators of ${left.join(', ')}`)
  expect(process.cwd(), `${fileName()} has changed the working directory`).toBe(directory)
  expect(environment(), `${fileName()} has changed the environment`).toEqual(before)
})

/**
 * A test that asserts nothing fails. Vitest cannot tell which of several concurrent tests an assertion belongs to, and
 * does not count those of Playwright, with which tests of the page wait for what it shows. Benchmarks only report.
 */
beforeEach(({ task }) => {
  const { name } = task.file
  if (!task.concurrent && name.endsWith('.test.ts') && !name.includes('/dashboard/')) expect.hasAssertions()
})
