import type { Miss } from '../contract/expectation.ts'
import { SimulatorError } from '../contract/simulator-error.ts'

/** The requests were not as expected; the message names what came closest. */
export class VerifyError extends SimulatorError {
  override name = 'VerifyError'
  constructor(
    message: string,
    readonly matched: string[],
    readonly nearest: Miss[],
  ) {
    const misses = nearest.map(({ id, method, path, differs }) => {
      const how = differs.map(
        ({ field, expected, received }) =>
          `${field} is ${received === undefined ? 'absent' : JSON.stringify(received)}, not ${JSON.stringify(expected)}`,
      )
      return `  ${method} ${path} (${id}): ${how.join('; ')}`
    })
    super('VERIFY_FAILED', misses.length > 0 ? `${message}\nNearest:\n${misses.join('\n')}` : message)
  }
}
