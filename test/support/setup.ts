import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeEach, expect, vi } from 'vitest'
import { fileName, finishFile } from './afterwards.ts'

/** Files share a process, so each must leave it unchanged. Vitest adds its own variables. */
const directory = process.cwd()
const environment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
const before = environment()

/** Vitest loads this module before every test file. */
afterAll(async () => {
  await finishFile()
  vi.unstubAllEnvs()
  const left = readdirSync(tmpdir()).filter(name => name.startsWith(`edgesim-${process.pid}-`))
  if (left.length > 0) throw new Error(`${fileName()} has not closed the simulators of ${left.join(', ')}`)
  expect(process.cwd(), `${fileName()} has changed the working directory`).toBe(directory)
  expect(environment(), `${fileName()} has changed the environment`).toEqual(before)
})

/**
 * A test without assertions fails. Vitest doesn't know which of several concurrent tests an assertion belongs to, and
 * doesn't count Playwright's assertions in dashboard tests. Benchmarks have none.
 */
beforeEach(({ task }) => {
  const { name } = task.file
  if (!task.concurrent && name.endsWith('.test.ts') && !name.includes('/dashboard/')) expect.hasAssertions()
})
