import type { Entry } from '../../types.ts'

/** Headers that a client sets by itself, or that do not matter to the request. */
const LEFT_OUT =
  /^(host|connection|content-length|accept|accept-encoding|accept-language|user-agent|origin|referer|sec-.*|edgesim-client|authorization|cookie|transfer-encoding)$/

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a line for a shell. The journal does not keep tokens, so a token that works replaces it. */
export function toCurl(entry: Entry, url: string, token: string | null): string {
  const search = new URLSearchParams(entry.query).toString()
  const parts = ['curl']
  if (entry.method !== 'GET') parts.push('-X', entry.method)
  parts.push(quote(`${url}${entry.path}${search ? `?${search}` : ''}`))
  const headers = Object.entries(entry.request?.headers ?? {}).filter(([name]) => !LEFT_OUT.test(name))
  if (entry.request?.headers.authorization) headers.unshift(['Authorization', `Bearer ${token ?? '<token>'}`])
  for (const [name, value] of headers) parts.push('-H', quote(`${name}: ${value}`))
  const { body, encoding } = entry.request ?? {}
  const empty = body === null || body === undefined || Object.keys(body as object).length === 0
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (encoding) return `echo ${text} | base64 -d | ${[...parts, '--data-binary', '@-'].join(' ')}`
  if (!empty) parts.push(typeof body === 'string' ? '--data-raw' : '-d', quote(text))
  return parts.join(' ')
}
