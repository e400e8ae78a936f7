import { isIPv4, isIPv6 } from 'node:net'
import { isLocalHost } from '../../../basics/cidr.ts'
import type { ValueError } from '../../../basics/problem.ts'
import { listOf, type Mismatch, textShape } from '../../../basics/shape.ts'
import type { Field } from '../../../engine/language/field.ts'
import { errors } from '../../errors.ts'

const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i

/** Splits `127.0.0.1:5432`, `[::1]:22` or `db.internal:5432`. An invalid or missing part is undefined. */
export function addressParts(text: string): { host?: string; port?: number } {
  const [, given, digits] = /^(\[[^\]]+\]|[^:[\]/@\s]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = given?.replace(/^\[|\]$/g, '')
  const fits = given?.startsWith('[')
    ? isIPv6(host!)
    : host && (isIPv4(host) || (HOST_NAME.test(host) && !/^[\d.]+$/.test(host)))
  return { host: fits ? host : undefined, port: digits === undefined ? undefined : Number(digits) }
}

/** A hostport without its scheme. */
export const bareAddress = (hostport: string) => hostport.replace(/^https?:\/\//, '')

/** `[::1]:80` → ::1 and 80 */
export function splitAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}

/** Edges listen only on loopback addresses. */
export function isLocalHostport(hostport: string): boolean {
  const { host } = splitAddress(bareAddress(hostport))
  return isLocalHost(host)
}

/** Port 0 means any free port, on loopback only. */
function checkHostport(value: string, schemes: string[], expected: string): Mismatch | undefined {
  const scheme = schemes.find(each => value.startsWith(each)) ?? ''
  const bare = value.slice(scheme.length)
  const { host, port } = addressParts(bare.startsWith('*.') ? bare.slice(2) : bare)
  if (host === undefined || port === undefined) return { error: errors.bad_hostport, expected }
  if (port <= 65535 && (port > 0 || isLocalHostport(bare))) return undefined
  return {
    error: errors.hostport_port,
    expected: 'an address with a port from 1 to 65535 (0 for any free port, on loopback)',
  }
}

/** Where an edge listens. */
export function listenAddress(schemes: string[] = [], examples = ['127.0.0.1:0']) {
  const expected = `an address like ${['127.0.0.1:0', ...schemes.map(scheme => `${scheme}127.0.0.1:0`)].join(' or ')}`
  return textShape({ examples }, value =>
    value.includes('*') ? { expected } : checkHostport(value, schemes, expected) && { expected },
  )
}

export const MAX_HOSTPORTS = 100

/** The public addresses of an edge. */
export const hostports = (
  options: { schemes?: string[] } & Pick<Field<string[]>, 'default' | 'unset'>,
): Field<string[]> => {
  const { schemes = [], ...rest } = options
  const expected = 'a name or an address with a port, like example.com:443 or 127.0.0.1:0'
  const hostport = textShape({ examples: ['example.com:443', '127.0.0.1:0'] }, value =>
    checkHostport(value, schemes, expected),
  )
  const describe = 'Addresses as host:port (edgesim listens on loopback addresses only)'
  return { shape: listOf(hostport, MAX_HOSTPORTS), content: 'host', describe, ...rest }
}

/** The target of forwarded connections. */
export const upstreamAddress = () =>
  textShape({ examples: ['127.0.0.1:5432'] }, value => {
    const { host, port = 0 } = addressParts(value)
    if (host !== undefined && port > 0 && port <= 65535) return undefined
    const error: ValueError = value.startsWith(':') ? errors.backend_without_host : errors.backend_without_port
    return { error, expected: 'an address like 127.0.0.1:5432' }
  })

/** The target of forwarded requests. */
export const upstreamUrl = () =>
  textShape({ examples: ['http://127.0.0.1:3000'] }, value =>
    URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
      ? undefined
      : { expected: 'a URL like http://127.0.0.1:3000' },
  )
