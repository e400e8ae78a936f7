import type { EventDelivery } from '../contract/event-delivery.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { ask, SwitchedProtocol } from '../http/ask.ts'
import { Resolver } from '../http/resolver.ts'

/** What became of an attempt: the status of an answer, or why there was none. */
export type Attempt = { status: number; why?: string } | { status?: undefined; why: string }

/** Posts an event once, on a connection of its own. */
export type PostEvent = (delivery: EventDelivery, signal: AbortSignal) => Promise<Attempt>

/** How events are posted to `--deliver-to`. Fails if it is not on this machine and not allowed. */
export async function openTarget(deliverTo: string, allowUpstream: readonly string[] | undefined): Promise<PostEvent> {
  const { origin, hostname, pathname, search } = new URL(deliverTo)
  // Looked up at the start: a later answer could be an address that is not allowed.
  const addresses = await new Resolver(allowUpstream)
    .resolve(hostname.replace(/^\[|\]$/g, ''))
    .catch((error: Error) => {
      throw new SimulatorError('INVALID_OPTION', `Events cannot be delivered to ${deliverTo}: ${error.message}.`)
    })
  return async ({ id, destination, sandbox, body }, signal) => {
    const headers = {
      'Content-Type': 'application/json',
      'Edgesim-Destination': destination,
      'Edgesim-Event-Id': id,
      'Edgesim-Sandbox': sandbox,
    }
    const question = { method: 'POST', path: pathname + search, headers, body: JSON.stringify(body), signal }
    try {
      const response = await ask({ url: origin, addresses }, question)
      // Only the status counts. A body that does not end is cut off by the signal.
      response.on('error', () => {}).resume()
      await new Promise(resolve => response.once('close', resolve))
      return { status: response.statusCode! }
    } catch (error) {
      return error instanceof SwitchedProtocol ? { status: 101 } : { why: whyNotSent(error as NodeJS.ErrnoException) }
    }
  }
}

/** An error of several addresses has no message of its own. */
const whyNotSent = ({ name, message, code }: NodeJS.ErrnoException) =>
  name === 'AbortError' ? 'no answer came in time' : `it could not be sent: ${message || code || name}`
