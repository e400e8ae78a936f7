import { isIPv4, isIPv6 } from 'node:net'
import type { Field } from './field.ts'
import { listOf, text } from './shape.ts'

const HOST_PORT = /^(\[[^\]]+\]|[^:[\]/@\s]+):(\d{1,5})$/
const NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i

/** `127.0.0.1:5432`, `[::1]:22`, `db.internal:5432` */
function isHostPort(text: string, leastPort = 0): boolean {
  const [, host, port] = HOST_PORT.exec(text) ?? []
  if (host === undefined || Number(port) < leastPort || Number(port) > 65535) return false
  return host.startsWith('[') ? isIPv6(host.slice(1, -1)) : isIPv4(host) || (NAME.test(host) && !/^[\d.]+$/.test(host))
}

const address = (expected: string, examples: string[], fits: (value: string) => boolean) =>
  text({ examples }, value => (fits(value) ? undefined : { expected }))

const isHostPortOf = (schemes: string[]) => (value: string) => {
  const scheme = schemes.find(each => value.startsWith(each)) ?? ''
  const bare = value.slice(scheme.length)
  return isHostPort(bare.startsWith('*.') ? bare.slice(2) : bare)
}

/** Where an edge listens: a port of 0 takes any that is free. */
export function listenAddress(schemes: string[] = [], examples = ['127.0.0.1:0']) {
  const expected = `an address like ${['127.0.0.1:0', ...schemes.map(scheme => `${scheme}127.0.0.1:0`)].join(' or ')}`
  return address(expected, examples, value => !value.includes('*') && isHostPortOf(schemes)(value))
}

/** Each may be a port that is opened. */
export const MOST_HOSTPORTS = 100

/** Under which names and ports an edge is reached. */
export const hostports = (schemes: string[] = []): Field<string[]> => ({
  shape: listOf(
    address(
      'a name or an address with a port, like example.com:443 or 127.0.0.1:0',
      ['example.com:443', '127.0.0.1:0'],
      isHostPortOf(schemes),
    ),
    MOST_HOSTPORTS,
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
