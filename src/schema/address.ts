import { isIPv4, isIPv6 } from 'node:net'
import type { Field } from './field.ts'
import { listOf, textShape } from './shape.ts'

const HOST_PORT = /^(\[[^\]]+\]|[^:[\]/@\s]+):(\d{1,5})$/
const HOST_NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i

/** `127.0.0.1:5432`, `[::1]:22`, `db.internal:5432` */
function isHostPort(text: string, minPort = 0): boolean {
  const [, host, port] = HOST_PORT.exec(text) ?? []
  if (host === undefined || Number(port) < minPort || Number(port) > 65535) return false
  return host.startsWith('[')
    ? isIPv6(host.slice(1, -1))
    : isIPv4(host) || (HOST_NAME.test(host) && !/^[\d.]+$/.test(host))
}

const address = (expected: string, examples: string[], fits: (value: string) => boolean) =>
  textShape({ examples }, value => (fits(value) ? undefined : { expected }))

const isHostPortWith = (schemes: string[]) => (value: string) => {
  const scheme = schemes.find(each => value.startsWith(each)) ?? ''
  const bare = value.slice(scheme.length)
  return isHostPort(bare.startsWith('*.') ? bare.slice(2) : bare)
}

/** Where an edge listens. Port 0 takes any free port. */
export function listenAddress(schemes: string[] = [], examples = ['127.0.0.1:0']) {
  const expected = `an address like ${['127.0.0.1:0', ...schemes.map(scheme => `${scheme}127.0.0.1:0`)].join(' or ')}`
  return address(expected, examples, value => !value.includes('*') && isHostPortWith(schemes)(value))
}

/** Limit the ports that an edge may open. */
export const MAX_HOSTPORTS = 100

/** The names and ports that an edge is reached by. */
export const hostports = (schemes: string[] = []): Field<string[]> => ({
  shape: listOf(
    address(
      'a name or an address with a port, like example.com:443 or 127.0.0.1:0',
      ['example.com:443', '127.0.0.1:0'],
      isHostPortWith(schemes),
    ),
    MAX_HOSTPORTS,
  ),
  default: [],
})

/** Where an edge forwards connections to. */
export const upstreamAddress = () =>
  address('an address like 127.0.0.1:5432', ['127.0.0.1:5432'], value => isHostPort(value, 1))

/** Where an edge forwards requests to. */
export const upstreamUrl = () =>
  address(
    'a URL like http://127.0.0.1:3000',
    ['http://127.0.0.1:3000'],
    value => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  )
