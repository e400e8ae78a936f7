import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { close, createHttpServer, type HttpServerOptions, listenOn } from '../../server/http/server.ts'
import { createAuthority } from '../tls/create-certificate.ts'
import { PassThrough } from './pass-through.ts'
import { ForwardProxy, type Substitute } from './proxy.ts'

/** Longer than any test run. A server must be restarted after this time. */
export const VALID_DAYS = 90

export interface StandInOptions extends Omit<HttpServerOptions, 'onRequest' | 'tls'> {
  hosts: string[]
  maxConnections: number
  /** Undefined if other hosts are blocked. */
  passThrough: { http?: URL; https?: URL } | undefined
  /** Creates the API handler for a host. */
  serve(address: { host: string; secure: boolean }): Pick<HttpServerOptions, 'onRequest'>
  onFailure(error: unknown): void
}

export type StandIn = Awaited<ReturnType<typeof openStandIn>>

/** Replaces hosts, through a proxy and through local ports for redirected clients. Listens only on loopback. */
export async function openStandIn({ hosts, serve, passThrough, maxConnections, ...options }: StandInOptions) {
  const authority = createAuthority(hosts, VALID_DAYS)
  const substitutes: Substitute[] = []
  const servers: Server[] = []
  const listen = async (server: Server) => {
    server.maxConnections = maxConnections
    servers.push(server)
    await listenOn(() => server, '127.0.0.1', 0)
  }
  try {
    for (const host of hosts) {
      for (const secure of [true, false]) {
        const served = serve({ host, secure })
        const tls = secure ? { ...authority.issue(host), onlyName: host } : undefined
        const server = createHttpServer({ ...options, ...served, tls })
        await listen(server)
        substitutes.push({ host, port: secure ? 443 : 80, server, onRequest: served.onRequest })
      }
    }
    const through = passThrough && new PassThrough(passThrough)
    const proxy = new ForwardProxy({ ...options, substitutes, passThrough: through })
    await listen(proxy.server)
    return {
      hosts,
      /** The authority's certificate in PEM, for clients to trust. */
      certificate: authority.cert,
      proxy: `http://edgesim:${proxy.password}@127.0.0.1:${portOf(proxy.server)}`,
      /** Local ports by host and port. */
      ports: Object.fromEntries(hosts.map(host => [host, portsOf(substitutes.filter(each => each.host === host))])),
      refused: proxy.refused,
      close: (closeServers: (servers: Server[]) => Promise<void> = close) => closeServers(servers),
    }
  } catch (error) {
    await close(servers)
    throw error
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

const portsOf = (substitutes: Substitute[]): Record<string, number> =>
  Object.fromEntries(substitutes.map(({ port, server }) => [port, portOf(server)]))
