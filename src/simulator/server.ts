import type { Server } from 'node:http'
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { parseDuration } from '../basics/duration.ts'
import { counted } from '../basics/text.ts'
import { INSTANCE_HEADER } from '../contract/names.ts'
import type { Sandboxes } from '../engine/launch/registry.ts'
import { addressOf } from '../server/http/client-address.ts'
import { close, createHttpServer, listenOn } from '../server/http/server.ts'
import { createRequestHandler, type Destinations } from './request-handler.ts'
import type { Settings } from './settings.ts'
import type { Notices } from './types.ts'

export const MAX_CONNECTIONS = 2_000
/** In seconds. API requests are small. */
export const REQUEST_TIMEOUTS = { headers: 5, request: 15 }

/** Starts the HTTP server. `close` is called with the servers at shutdown. */
export async function openServer(settings: Settings, destinations: Destinations, close: CloseServers) {
  const { options, instance, tls, urlAt } = settings
  const create = () => {
    const server = createHttpServer({
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
    close: () => close(servers),
  }
}

export type CloseServers = (servers: Server[]) => Promise<void>

const MAX_NAMED = 10

/** Closes servers after the time of `--stop-grace`. A notice names the requests that are cut off. */
export function closeWithGrace({ options }: Settings, sandboxes: Sandboxes, { warn }: Notices): CloseServers {
  const report = () => {
    const open = sandboxes
      .list()
      .filter(sandbox => sandboxes.useOf(sandbox).activeRequests > 0)
      .flatMap(({ journal }) => journal.oldestFirst().filter(({ duration_ms }) => duration_ms === null))
    if (open.length === 0) return
    const names = open
      .slice(0, MAX_NAMED)
      .map(
        ({ id, method, path, sandbox }) => `${method} ${path}${sandbox === 'default' ? '' : ` [${sandbox}]`} (${id})`,
      )
    if (open.length > MAX_NAMED) names.push(`and ${open.length - MAX_NAMED} more`)
    const cut = `Cut off ${counted(open.length, 'request')} after ${options.stopGrace}`
    warn(`${cut}: ${names.join(', ')}. To wait longer, use --stop-grace.`)
  }
  return servers => close(servers, parseDuration(options.stopGrace)!, report)
}

/** For a host that means all interfaces: its addresses for other machines, except for link-local ones. */
function addressesOf(host: string | undefined): string[] | undefined {
  if (host !== '0.0.0.0' && host !== '::') return undefined
  return Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(({ internal, address }) => !internal && (isIPv4(address) || (host === '::' && !/^fe80:/i.test(address))))
    .map(({ address }) => addressOf(address))
}
