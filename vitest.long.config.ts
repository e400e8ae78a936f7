import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map(name => join('test', name))
  .filter(file => file.endsWith('.test.ts'))

/** `npm run test:long`: what tests do a part of in `npm test`, they do all of here. */
export default defineConfig({
  test: {
    include: files.filter(file => readFileSync(file, 'utf8').includes('support/long.ts')),
    env: { EDGESIM_LONG: '1' },
    fileParallelism: false,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts', 'test/support/browser.ts'],
    provide: { processes: true },
    disableConsoleIntercept: true,
  },
})
