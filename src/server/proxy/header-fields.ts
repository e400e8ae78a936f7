/** Alternating names and values, like Node's rawHeaders. */
export type RawHeaders = readonly string[]

/** RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Headers that belong to a connection, not to the message. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A header that would break the message if somebody set it. */
const OF_CONNECTION: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'content-length'])

/** What a header name must be, if it is not. */
export function expectedName(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return "a header name: letters, digits and any of !#$%&'*+-.^_`|~"
  return OF_CONNECTION.has(name.toLowerCase()) ? 'a header that does not belong to the connection itself' : undefined
}

/** The values of a header, joined. */
export function headerIn(headers: RawHeaders, name: string): string | undefined {
  const values = headers.filter((_, i) => i % 2 === 1 && headers[i - 1]!.toLowerCase() === name)
  return values.length > 0 ? values.join(', ') : undefined
}
