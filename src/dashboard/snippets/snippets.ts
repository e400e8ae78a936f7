import { toFetch } from './javascript.ts'
import { goBytes, goString, hex, quoted } from './literals.ts'
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
function toCurl(sendable: Sendable, url: string): string {
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

/** Not with `requests`: it encodes brackets, resolves dots, and prefers the login in ~/.netrc to the token. */
function toPython(sendable: Sendable, url: string): string {
  const { method, path, body, encoding } = sendable
  const { protocol, origin, host } = new URL(url)
  const text = body === undefined ? 'None' : `${quoted(body)}.encode()`
  const headers = headersOf(sendable).map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},\n`)
  return `import http.client

body = ${encoding ? `bytes.fromhex('${Array.from(atob(body!), byte => hex(byte)).join('')}')` : text}
headers = {
${headers.join('')}}
connection = http.client.${protocol === 'https:' ? 'HTTPSConnection' : 'HTTPConnection'}(${quoted(host)})
connection.request(${quoted(method)}, ${quoted(url.slice(origin.length) + path)}, body, headers)
response = connection.getresponse()
print(response.status, response.read().decode())
`
}

/** Paths that Go sends unchanged. */
const PLAIN_PATH = /^(?:[\w.~!$&'()*+,;=:@/[\]-]|%[\da-f]{2})*(?:\?[!"$-~]*)?$/i

/** Sets `Opaque`, if Go would change or reject the path. */
function toGo(sendable: Sendable, url: string): string {
  const { method, path, body, encoding } = sendable
  const isPlain = PLAIN_PATH.test(path)
  const reader = body === undefined ? 'nil' : `strings.NewReader(${encoding ? goBytes(atob(body)) : goString(body)})`
  const changes = headersOf(sendable).map(([name, value]) => `Header.Set(${goString(name)}, ${goBytes(value)})`)
  if (!isPlain) changes.unshift(`URL.Opaque = ${goBytes(url.slice(new URL(url).origin.length) + path)}`)
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"${body === undefined ? '' : '\n\t"strings"'}
)

func main() {
	request, _ := http.NewRequest(${goString(method)}, ${goString(isPlain ? url + path : url)}, ${reader})
${changes.map(change => `\trequest.${change}\n`).join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.StatusCode)
	io.Copy(os.Stdout, response.Body)
}
`
}

export const SNIPPETS: readonly { name: string; write(sendable: Sendable, url: string): string }[] = [
  { name: 'curl', write: toCurl },
  { name: 'fetch', write: toFetch },
  { name: 'Python', write: toPython },
  { name: 'Go', write: toGo },
]
