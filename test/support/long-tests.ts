import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files of tests that do more in `npm run test:long`; those which start nothing are left out of `test:quick`. */
export const longTests = () =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map(name => join('test', name))
    .filter(
      file =>
        file.endsWith('.test.ts') &&
        !file.includes('node_modules') &&
        readFileSync(file, 'utf8').includes('support/long.ts'),
    )
