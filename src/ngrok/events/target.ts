import type { EventDelivery } from '../../contract/event-delivery.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { SwitchedProtocol, sendRequest } from '../../server/http/send-request.ts'
import { Resolver } from '../access/resolver.ts'

/** The result of an attempt: the response status, or why there was no response. */
export type Attempt = { status: number; why?: string } | { status?: undefined; why: string }

/** Posts an event once, on a new connection. */
export type PostEvent = (delivery: EventDelivery, signal: AbortSignal) => Promise<Attempt>

/** Returns a function that posts to `--deliver-to`. Fails if the host is neither local nor allowed. */
export async function openTarget(deliverTo: string, allowUpstream: readonly string[] | undefined): Promise<PostEvent> {
  const { origin, hostname, pathname, search } = new URL(deliverTo)
  // Resolved at startup: a later lookup could return an address that is not allowed.
  const addresses = await new Resolver(allowUpstream)
    .resolve(hostname.replace(/^\[|\]$/g, ''))
    .catch((error: Error) => {
      throw new SimulatorError('INVALID_OPTION', `Cannot deliver events to ${deliverTo}: ${error.message}.`)
    })
  return async ({ id, destination, sandbox, body }, signal) => {
    const headers = {
      'Content-Type': 'application/json',
      'Edgesim-Destination': destination,
      'Edgesim-Event-Id': id,
      'Edgesim-Sandbox': sandbox,
    }
    const options = { method: 'POST', path: pathname + search, headers, body: JSON.stringify(body), signal }
    try {
      const response = await sendRequest({ url: origin, addresses }, options)
      // Only the status matters. The signal cuts off an endless body.
      response.on('error', () => {}).resume()
      await new Promise(resolve => response.once('close', resolve))
      return { status: response.statusCode! }
    } catch (error) {
      return error instanceof SwitchedProtocol ? { status: 101 } : { why: whyNotSent(error as NodeJS.ErrnoException) }
    }
  }
}

/** An AggregateError of several addresses has no message. */
const whyNotSent = ({ name, message, code }: NodeJS.ErrnoException) =>
  name === 'AbortError' ? 'no response in time' : `cannot send it: ${message || code || name}`
