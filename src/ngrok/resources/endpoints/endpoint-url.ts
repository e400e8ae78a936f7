import { type Mismatch, textShape } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'

const PORTS: Record<string, number> = { http: 80, https: 443, tls: 443 }
const SCHEMES = ['http', 'https', 'tcp', 'tls']

const EXPECTED = 'a URL like https://www.example.com or tcp://1.tcp.service.example:20123'
const HOST = /^(\*\.)?(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i

interface Parts {
  scheme: string
  host: string
  port: number
}

/** A URL has a scheme, a host, an optional port, and no path. */
function findProblem(url: string): Mismatch | undefined {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url) ?? []
  if (scheme === undefined || !SCHEMES.includes(scheme.toLowerCase()))
    return { error: errors.endpoint_scheme, expected: `a URL that begins with one of ${SCHEMES.join('://, ')}://` }
  const [, host, port] = /^([^:/?#@[\]\s]+)(?::(\d*))?\/?$/.exec(rest!) ?? []
  if (host === undefined) return { error: errors.endpoint_not_a_url, expected: EXPECTED }
  if (!HOST.test(host) || host.length > 253)
    return { error: errors.endpoint_host, expected: 'a URL with a valid host name' }
  const number = port ? Number(port) : PORTS[scheme.toLowerCase()]
  return number === undefined || number < 1 || number > 65535
    ? { error: errors.endpoint_port, expected: 'a URL with a port from 1 to 65535, which tcp:// must have' }
    : undefined
}

export const endpointUrl = textShape({ examples: ['https://www.example.com'] }, findProblem)

/** The parts of a valid URL. */
export function partsOf(url: string): Parts {
  const [, scheme, host, port] = /^(\w+):\/\/([^:/]+)(?::(\d+))?/.exec(url)!
  return { scheme: scheme!, host: host!, port: port ? Number(port) : PORTS[scheme!]! }
}

export const hostOf = (url: string) => partsOf(url).host

export const hostportOf = (url: string) => `${partsOf(url).host}:${partsOf(url).port}`

/** In lower case, without the default port. */
export function normaliseUrl(url: string): string {
  const { scheme, host, port } = partsOf(url.toLowerCase())
  return port === PORTS[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`
}
