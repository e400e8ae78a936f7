import { toCurl } from './curl.ts'
import { toFetch } from './javascript.ts'
import { goBytes, goString, hex, quoted } from './literals.ts'
import { headersOf, type Sendable } from './sendable.ts'

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

/** A request as code. */
export const SNIPPETS: readonly { name: string; write(sendable: Sendable, url: string): string }[] = [
  { name: 'curl', write: toCurl },
  { name: 'fetch', write: toFetch },
  { name: 'Python', write: toPython },
  { name: 'Go', write: toGo },
]
