import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, fill, guesses, options } from '../../scripts/generate-docs.ts'
import { edgesim, root } from '../support/cli.ts'

const COMMANDS = ['exec', 'validate', 'init', 'repair', 'assumptions', 'openapi']

/** Writes with `npm run generate`; otherwise fails while a document is stale. */
async function expectFresh(file: string, mark: string, text: string) {
  const path = join(root, file)
  await expect(fill(readFileSync(path, 'utf8'), mark, text)).toMatchFileSnapshot(path)
}

describe('Documents', () => {
  it('list the guesses as they are (else: npm run generate)', () => expectFresh('README.md', 'guesses', guesses()))

  it('list the options as they are (else: npm run generate)', () => expectFresh('docs/cli.md', 'options', options()))

  it('show the help as it is (else: npm run generate)', async () => {
    const helps = await Promise.all(
      COMMANDS.map(async command => {
        const { out, code } = await edgesim([command, '--help'], { env: { COLUMNS: '100' } })
        expect(code).toBe(0)
        const own = out.slice(0, out.indexOf('\nOptions:'))
        const extra = out.split('\n').filter(line => /^ +--(env|vary|runner) /.test(line))
        return [command, [own.trimEnd(), ...extra].join('\n')] as [string, string]
      }),
    )
    await expectFresh('docs/cli.md', 'commands', commands(helps))
  })
})
