import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { normaliseAddress } from '../../basics/cidr.ts'

/** The origin of the URL that a client used. With `trustProxy`, a proxy may have served HTTPS. */
export function originOf(req: IncomingMessage, trustProxy: boolean): string {
  const secure = 'encrypted' in req.socket || (trustProxy && req.headers['x-forwarded-proto'] === 'https')
  return `${secure ? 'https' : 'http'}://${req.headers.host}`
}

/** Finds the client's IP address. With `trustProxy`, this is the first address in X-Forwarded-For. */
export function sourceFinder(trustProxy: boolean) {
  /** Reading it from a socket takes 1 µs. */
  const addresses = new WeakMap<Socket, string>()
  return ({ headers, socket }: IncomingMessage): string => {
    const forwarded = trustProxy ? firstOf(headers['x-forwarded-for']) : ''
    if (forwarded && isIP(forwarded)) return normaliseAddress(forwarded)
    const address = addresses.get(socket) ?? normaliseAddress(socket.remoteAddress ?? '')
    addresses.set(socket, address)
    return address
  }
}

const firstOf = (list: string | string[] = '') => String(list).split(',', 1)[0]!.trim()

/** The address for clients on this machine. */
export function addressOf(host = '127.0.0.1'): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** The address and port that a client connected to. */
export const localAuthority = ({ localAddress = '', localPort }: Socket) =>
  `${addressOf(normaliseAddress(localAddress))}:${localPort}`
