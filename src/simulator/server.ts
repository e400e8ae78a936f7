import { INSTANCE_HEADER } from '../contract/names.ts'
import { addressesOf } from '../http/client-address.ts'
import { close, createHttpServer, listenOn } from '../http/server.ts'
import { createRequestHandler, type Destinations } from './request-handler.ts'
import type { Settings } from './settings.ts'

export const MAX_CONNECTIONS = 2_000
/** In seconds. API requests are small. */
export const REQUEST_TIMEOUTS = { headers: 5, request: 15 }

/** Starts the HTTP server. */
export async function openServer(settings: Settings, destinations: Destinations, closeMs: number | undefined) {
  const { options, vendor, instance, tls, urlAt } = settings
  const create = () => {
    const server = createHttpServer({
      vendor,
      headers: { [INSTANCE_HEADER]: instance },
      onRequest: createRequestHandler(settings, destinations),
      tls,
      timeouts: REQUEST_TIMEOUTS,
    })
    server.maxConnections = MAX_CONNECTIONS
    return server
  }
  const { servers, port } = await listenOn(create, options.host, options.port)
  return {
    url: urlAt(port),
    port,
    otherUrls: () => addressesOf(options.host)?.map(address => urlAt(port, address)),
    close: () => close(servers, closeMs),
  }
}
