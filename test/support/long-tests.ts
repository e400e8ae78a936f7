import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const testsThatUse = (file: string) =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map(name => join('test', name))
    .filter(
      name => name.endsWith('.test.ts') && !name.includes('node_modules') && readFileSync(name, 'utf8').includes(file),
    )

/** The files of tests that do more in `npm run test:long`; those which start nothing are left out of `test:quick`. */
export const longTests = () => testsThatUse('support/long.ts')

/** Those that only try more of the same there. */
export const sampledTests = () => testsThatUse('support/samples.ts')
