import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { folderWith } from '../../support/afterwards.ts'

const run = ([program, ...args]: string[], env = process.env) => spawnSync(program!, args, { env, encoding: 'utf8' })

/** A command other than Node. */
export interface Program {
  name: string
  /** Prints its version if it is installed. */
  version: string[]
  /** Reads a page. {url} and {authorization} are replaced. */
  read: string[] | (() => string[])
  /** Its error if it looks up the host itself, or does not trust the simulator. */
  fails?: RegExp
}

export const LOOKUP = /name resolution|UnknownHostException: api|lookup api\.ngrok\.com|EAI_AGAIN api/
export const UNTRUSTED = /certificate (verification failed|of .* is not trusted)/

const headers = ['Authorization: {authorization}', 'Ngrok-Version: 2']
const GIVEN = ['{url}', '{authorization}']

/** Debian's own comes first, because Debian's packages are for it. */
const PYTHON = run(['/usr/bin/python3', '--version']).status === 0 ? '/usr/bin/python3' : 'python3'
const PYTHON_START = `
import sys
url = sys.argv[1]
headers = {"Authorization": sys.argv[2], "Ngrok-Version": "2"}
`
const python = (name: string, module: string, read: string, fails?: RegExp): Program => ({
  ...{ name, fails },
  version: [PYTHON, '-c', `import sys, ${module}; print(sys.version, getattr(${module}, "__version__", ""))`],
  read: [PYTHON, '-c', `${PYTHON_START}import ${module}\n${read}`, ...GIVEN],
})

const RUBY = `
print Net::HTTP.get(URI(ARGV[0]), { "Authorization" => ARGV[1], "Ngrok-Version" => "2" })`

const go = (client: string) => () => {
  const folder = folderWith({
    'read.go': `package main

import (
  "io"
  "log"
  "net/http"
  "os"
)

func main() {
  request, _ := http.NewRequest("GET", os.Args[1], nil)
  request.Header.Set("Authorization", os.Args[2])
  request.Header.Set("Ngrok-Version", "2")
  response, err := (${client}).Do(request)
  if err != nil {
    log.Fatal(err)
  }
  io.Copy(os.Stdout, response.Body)
}
`,
  })
  const built = join(folder, 'read')
  const env = { ...process.env, GOFLAGS: '', GOTOOLCHAIN: 'local', GOPROXY: 'off', GOCACHE: join(folder, 'cache') }
  const { status, stderr } = run(['go', 'build', '-o', built, join(folder, 'read.go')], env)
  if (status !== 0) throw new Error(stderr)
  return [built, ...GIVEN]
}

const java = () => {
  const folder = folderWith({
    'Read.java': `
import java.net.URL;

class Read {
  public static void main(String[] args) throws Exception {
    var connection = new URL(args[0]).openConnection();
    connection.setRequestProperty("Authorization", args[1]);
    connection.setRequestProperty("Ngrok-Version", "2");
    connection.getInputStream().transferTo(System.out);
  }
}
`,
  })
  return ['java', join(folder, 'Read.java'), ...GIVEN]
}

/** Bun and Deno run this. */
const FETCH = `
const [url, authorization] = process.argv.slice(-2)
console.log(await (await fetch(url, { headers: { authorization, 'ngrok-version': '2' } })).text())`
const HTTPS = `
import https from 'node:https'
const [url, authorization] = process.argv.slice(-2)
https.get(url, { headers: { authorization, 'ngrok-version': '2' } }, res => res.pipe(process.stdout))`
const javascript = (command: string[], code: string) => () => [
  ...command,
  join(folderWith({ 'read.mjs': code }), 'read.mjs'),
  ...GIVEN,
]

const CURL = ['curl', '-sS', ...headers.flatMap(each => ['-H', each]), '{url}']
const WGET = ['wget', '-nv', '-O', '-', ...headers.map(each => `--header=${each}`), '{url}']
const GO = { version: ['go', 'version'] }

export const DEBIAN: Program[] = [
  { name: 'curl', version: ['curl', '--version'], read: CURL },
  python(
    'Python’s urllib',
    'urllib.request',
    'print(urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read().decode())',
  ),
  python('Python’s requests', 'requests', 'print(requests.get(url, headers=headers).text)'),
  python('Python’s httpx', 'httpx', 'print(httpx.get(url, headers=headers).text)'),
  { ...GO, name: 'Go’s default client', read: go('http.DefaultClient') },
  { name: 'Ruby’s net/http', version: ['ruby', '--version'], read: ['ruby', '-rnet/http', '-e', RUBY, ...GIVEN] },
  // These use no proxy by default.
  python(
    'Python’s http.client',
    'http.client',
    'http.client.HTTPSConnection("api.ngrok.com").request("GET", "/api_keys", headers=headers)',
    LOOKUP,
  ),
  {
    ...GO,
    name: 'Go’s client with its own transport',
    read: go('&http.Client{Transport: &http.Transport{}}'),
    fails: LOOKUP,
  },
  { name: 'Java', version: ['java', '--version'], read: java, fails: LOOKUP },
  // These use the proxy, but have their own certificate settings.
  { name: 'wget of Debian', version: ['wget', '--version'], read: WGET, fails: UNTRUSTED },
  { name: 'git of Debian', version: ['git', '--version'], read: ['git', 'ls-remote', '{url}'], fails: UNTRUSTED },
]

export const others = (kind: 'bun' | 'deno', path: string): Program[] => {
  const command = kind === 'bun' ? [path] : [path, 'run', '--allow-all', '--no-config']
  return [
    { name: `fetch of ${kind}`, version: [path, '--version'], read: javascript(command, FETCH) },
    { name: `node:https of ${kind}`, version: [path, '--version'], read: javascript(command, HTTPS), fails: LOOKUP },
  ]
}

/** The first line of its version. Undefined if it is missing. */
export function versionOf({ version }: Program): string | undefined {
  const { status, stdout } = run(version)
  return status === 0 ? stdout.trim().split('\n')[0] : undefined
}
