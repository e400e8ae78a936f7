import { NO_TOKEN, type Sendable } from './sendable.ts'

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** An empty value ends with a semicolon; without one, curl would leave the header out. */
const headerOf = ([name, value]: [string, string]) => quote(value === '' ? `${name};` : `${name}: ${value}`)

/** The method, where curl would take another. HEAD must be named so: curl would wait for a body. */
function methodOf({ method, body }: Sendable): string[] {
  if (method === 'HEAD' && body === undefined) return ['--head']
  return method === 'GET' && body === undefined ? [] : ['-X', method]
}

/** The request as a line for a shell, which sends it as it came. */
export function toCurl(sendable: Sendable, url: string): string {
  const { path, token, headers, body, encoding } = sendable
  const parts = ['curl', ...methodOf(sendable)]
  // Else curl would take brackets for a pattern, and dots for a way up.
  if (/[[\]{}]/.test(path)) parts.push('--globoff')
  if (/\/\.{1,2}([/?]|$)/.test(path)) parts.push('--path-as-is')
  parts.push(quote(url + path))
  const sent = [...headers]
  if (token !== null) sent.unshift(['Authorization', `Bearer ${token ?? NO_TOKEN}`])
  for (const header of sent) parts.push('-H', headerOf(header))
  if (body === undefined) return parts.join(' ')
  // Else curl would say that the body is a form.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) parts.push('-H', quote('content-type:'))
  // No argument of a program can have the character NUL.
  if (!encoding && !body.includes('\0')) return [...parts, '--data-raw', quote(body)].join(' ')
  const encoded = encoding ? body : inBase64(body)
  return `echo ${encoded} | base64 -d | ${[...parts, '--data-binary', '@-'].join(' ')}`
}

const inBase64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''))
