import type { DeliveryMiss, Miss } from '../contract/expectation.ts'
import { SimulatorError } from '../contract/simulator-error.ts'

/** The control API returned an error. */
export class ControlError extends SimulatorError {
  override name = 'ControlError'
  constructor(
    readonly status: number,
    readonly body: { msg?: string; error_code?: string } & Record<string, unknown>,
  ) {
    super('CONTROL_REFUSED', body.msg ?? `The control API returned status ${status}`)
  }
}

/** The message of a failed expectation, with the closest misses. */
export function describeMisses(message: string, nearest: readonly (Miss | DeliveryMiss)[]): string {
  const misses = nearest.map(miss => {
    const { id, differs } = miss
    const what = 'type' in miss ? `${miss.type} for ${miss.destination}` : `${miss.method} ${miss.path}`
    const how = differs.map(
      ({ field, expected, received }) =>
        `${field} must be ${JSON.stringify(expected)}, got ${received === undefined ? 'nothing' : JSON.stringify(received)}`,
    )
    return `  ${what} (${id}): ${how.join('; ')}`
  })
  return misses.length > 0 ? `${message}\nClosest:\n${misses.join('\n')}` : message
}

/** The requests or deliveries differ from the expectation. The message lists the closest misses. */
export class VerifyError<M extends Miss | DeliveryMiss = Miss> extends SimulatorError {
  override name = 'VerifyError'
  constructor(
    message: string,
    readonly matched: string[],
    readonly nearest: M[],
  ) {
    super('VERIFY_FAILED', describeMisses(message, nearest))
  }
}
