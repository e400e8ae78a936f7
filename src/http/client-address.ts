import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { normaliseAddress } from '../ip/cidr.ts'

/** The origin of the URL that a client has used; with `trustProxy`, a proxy before us may have served HTTPS. */
export function originOf(req: IncomingMessage, trustProxy: boolean): string {
  const secure = 'encrypted' in req.socket || (trustProxy && req.headers['x-forwarded-proto'] === 'https')
  return `${secure ? 'https' : 'http'}://${req.headers.host}`
}

/** Finds the IP address of a request's client; with `trustProxy`, the first of X-Forwarded-For. */
export const sourceFinder = (trustProxy: boolean) => (req: IncomingMessage) => {
  const forwarded = trustProxy
    ? String(req.headers['x-forwarded-for'] ?? '')
        .split(',', 1)[0]!
        .trim()
    : ''
  return normaliseAddress(forwarded && isIP(forwarded) ? forwarded : (req.socket.remoteAddress ?? ''))
}
