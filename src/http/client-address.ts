import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { normaliseAddress } from '../ip/cidr.ts'

/** The address that a client has used; a proxy before us may serve it with TLS. */
export function originOf(req: IncomingMessage, trustProxy: boolean): string {
  const secure = 'encrypted' in req.socket || (trustProxy && req.headers['x-forwarded-proto'] === 'https')
  return `${secure ? 'https' : 'http'}://${req.headers.host}`
}

/** The address that it came from. */
export function sourceOf(req: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? String(req.headers['x-forwarded-for'] ?? '')
        .split(',', 1)[0]!
        .trim()
    : ''
  const address = forwarded && isIP(forwarded) ? forwarded : (req.socket.remoteAddress ?? '')
  if (address !== latest.address) latest = { address, source: normaliseAddress(address) }
  return latest.source
}

let latest = { address: '', source: '' }
