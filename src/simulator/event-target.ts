import { request } from 'node:http'
import { isIP } from 'node:net'
import type { EventDelivery } from '../contract/event-delivery.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import type { CompleteOptions } from '../options/options.ts'

/** Where events are posted to. */
export interface EventTarget {
  url: URL
  /** Looked up at the start: a later answer could be an address that is not allowed. */
  address: string
}

/** Reads `--deliver-to`. Fails if it is not on this machine and not allowed. */
export async function eventTargetOf({
  deliverTo,
  allowUpstream = [],
}: CompleteOptions): Promise<EventTarget | undefined> {
  if (deliverTo === undefined) return undefined
  const { Resolver } = await import('../traffic/upstream.ts')
  const url = new URL(deliverTo)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const resolver = new Resolver(allowUpstream.map(each => each.toLowerCase()))
  const address = await resolver.resolve(host).catch((error: Error) => {
    throw new SimulatorError('INVALID_OPTION', `Events cannot be delivered to ${deliverTo}: ${error.message}.`)
  })
  return { url, address }
}

/** Posts the event once, on a connection of its own. */
export function postEvent(
  { url, address }: EventTarget,
  { id, destination, sandbox, body }: EventDelivery,
  signal: AbortSignal,
) {
  const text = JSON.stringify(body)
  const tls = url.protocol === 'https:'
  return new Promise<{ status: number } | { status?: undefined; why: string }>(resolve => {
    const fail = (error: Error) =>
      resolve({
        why: error.name === 'AbortError' ? 'no answer came in time' : `it could not be sent: ${messageOf(error)}`,
      })
    const req = (tls ? process.getBuiltinModule('node:https').request : request)(
      url,
      {
        method: 'POST',
        host: address,
        agent: false,
        signal,
        headers: {
          Host: url.host,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
          'Edgesim-Destination': destination,
          'Edgesim-Event-Id': id,
          'Edgesim-Sandbox': sandbox,
        },
        ...(tls && { servername: isIP(url.hostname) ? '' : url.hostname }),
      },
      res => {
        // Only the status counts. A body that does not end is cut off by the signal.
        res.on('error', () => {}).resume()
        res.once('close', () => resolve({ status: res.statusCode! }))
      },
    )
    req.on('error', fail)
    req.on('upgrade', (res, socket) => {
      socket.destroy()
      resolve({ status: res.statusCode! })
    })
    req.end(text)
  })
}

/** An error of several addresses has no message of its own. */
const messageOf = (error: Error & { code?: string }) => error.message || error.code || error.name
