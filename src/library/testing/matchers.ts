import { printable } from '../../basics/text.ts'
import { VerifyError } from '../errors.ts'
import type { SandboxHandle } from '../sandbox-handle.ts'
import type { Expectation } from '../wire-types.ts'

const MAX_SHOWN = 5

/** For `expect.extend`. */
export const matchers = {
  /** Passes if the sandbox received the requests. With `.not`, passes if it did not. */
  async toHaveReceived(sandbox: SandboxHandle, expectation: Expectation) {
    if (typeof sandbox?.verify !== 'function')
      throw new TypeError('toHaveReceived requires a sandbox: await expect(sandbox).toHaveReceived({ … })')
    try {
      const found = await sandbox.verify(expectation)
      const requests = await Promise.all(found.slice(0, MAX_SHOWN).map(id => describe(sandbox, id)))
      const more = found.length > MAX_SHOWN ? `\n  and ${found.length - MAX_SHOWN} more` : ''
      const text = `The sandbox ${sandbox.name} received ${JSON.stringify(expectation)}. Matching:\n${requests.join('\n')}${more}`
      return { pass: true, message: () => text }
    } catch (error) {
      // Anything else, such as an unknown operation, is a mistake in the test.
      if (!(error instanceof VerifyError)) throw error
      return { pass: false, message: () => error.message }
    }
  },
}

/** A request, or the id of a decision of an edge. */
async function describe(sandbox: SandboxHandle, id: string): Promise<string> {
  const entry = await sandbox.request(id).catch(() => undefined)
  return printable(`  ${entry ? `${entry.status ?? '---'} ${entry.method} ${entry.path} (${id})` : id}`)
}
