import { headersOf, type Sendable } from './sendable.ts'

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Each character of a header is a byte. The shell sends UTF-8. */
const fromBytes = (bytes: string) => new TextDecoder().decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)))

/** An empty value needs a semicolon, or curl omits the header. */
const headerOf = ([name, value]: [string, string]) => quote(value === '' ? `${name};` : `${name}: ${fromBytes(value)}`)

/** The method option, unless curl's default is right. With `-X HEAD`, curl would wait for a body. */
function methodOf({ method, body }: Sendable): string[] {
  if (method === 'HEAD' && body === undefined) return ['--head']
  return method === 'GET' && body === undefined ? [] : ['-X', method]
}

/** A shell command that repeats the request unchanged. */
export function toCurl(sendable: Sendable, url: string): string {
  const { path, headers, body, encoding } = sendable
  const parts = ['curl', ...methodOf(sendable)]
  // Prevents curl from expanding brackets and resolving dots.
  if (/[[\]{}]/.test(path)) parts.push('--globoff')
  if (/\/\.{1,2}([/?]|$)/.test(path)) parts.push('--path-as-is')
  parts.push(quote(url + path))
  for (const header of headersOf(sendable)) parts.push('-H', headerOf(header))
  if (body === undefined) return parts.join(' ')
  // Prevents curl from sending the content type of a form.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) parts.push('-H', quote('content-type:'))
  // Command arguments cannot contain NUL.
  if (!encoding && !body.includes('\0')) return [...parts, '--data-raw', quote(body)].join(' ')
  const encoded = encoding ? body : toBase64(body)
  return `echo ${encoded} | base64 -d | ${[...parts, '--data-binary', '@-'].join(' ')}`
}

const toBase64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''))
