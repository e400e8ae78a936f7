import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { cleanEnvironment, edgesim, launch, startEdgesim } from '../support/as-process.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { js, exec as launchExec } from './exec.ts'

const HOST = 'api.ngrok.com'
const exec = (args: string[], command: string[]) => launchExec(args, command).ended

const ASK = `
  const ask = async url => {
    const headers = { authorization: 'Bearer ' + process.env.EDGESIM_TOKEN, 'ngrok-version': '2', connection: 'close' }
    const res = await fetch(url, { headers })
    return [res.status, await res.json()]
  }`
const ASK_HOST = js(`${ASK}; console.log(JSON.stringify(await ask('https://${HOST}/api_keys')))`)

const CONNECT = js(`
  import { request } from 'node:http'
  const { hostname: host, port, username, password } = new URL(process.env.HTTPS_PROXY)
  const headers = { 'proxy-authorization': 'Basic ' + Buffer.from(username + ':' + password).toString('base64') }
  for (const path of process.argv.slice(1)) await new Promise(resolve =>
    request({ host, port, method: 'CONNECT', path, headers }).on('connect', (res, socket) => {
      console.log(path, res.statusCode)
      socket.destroy()
      resolve()
    }).end())`)

describe.concurrent('exec --as', () => {
  it('redirects a hard-coded host to the simulator', async () => {
    const { code, out, err } = await exec(['--as', HOST], ASK_HOST)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject([200, { uri: `https://${HOST}/api_keys` }])
  })

  it.runIf(ALL)('redirects every spelling of the host in Node to the simulator', async () => {
    const asks = js(`import { connect } from 'node:net'
      for (const host of ['API.ngrok.com', '${HOST}.', 'api.ngr\u00bak.com']) await new Promise(resolve =>
        connect(80, host).on('error', ({ message }) => resolve(console.log(message))).on('data', data => {
          console.log(String(data).slice(9, 12))
          resolve()
        }).end('GET /api_keys HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'))`)
    expect(await exec(['--as', HOST], asks)).toMatchObject({ code: 0, out: '403\n403\n403\n' })
  })

  it.runIf(ALL)('blocks other ports of the host in Node', async () => {
    const asks = js(`for (const port of [8443, 8080])
      console.log(await fetch('https://${HOST}:' + port).catch(({ cause }) => cause.code + ' ' + cause.message))`)
    const why = (port: number) =>
      `ECONNREFUSED edgesim redirects ${HOST} only at ports 80 and 443, not at port ${port}\n`
    expect(await exec(['--as', HOST], asks)).toEqual({ code: 0, out: why(8443) + why(8080), err: '' })
  })

  it.runIf(ALL)('lists blocked hosts on exit', async () => {
    const asks = [...CONNECT, 'registry.example:443', 'registry.example:80', 'other.example:443', `${HOST}:443`]
    const { code, out, err } = await exec(['--as', HOST], asks)
    expect(code).toBe(0)
    expect(out).toBe(`registry.example:443 502\nregistry.example:80 502\nother.example:443 502\n${HOST}:443 200\n`)
    expect(err).toBe(
      'edgesim: Blocked 3 connections to other hosts: registry.example, other.example. To allow them, add --pass-through.\n',
    )
  })

  it.runIf(ALL)('records the original host in the --har file', async () => {
    const file = join(folderWith(), 'run.har')
    expect((await exec(['--as', HOST, '--har', file], ASK_HOST)).code).toBe(0)
    const { entries } = JSON.parse(readFileSync(file, 'utf8')).log
    expect(entries).toMatchObject([{ request: { url: `https://${HOST}/api_keys` } }])
  })

  it.runIf(ALL)('also serves HTTPS at its own address with --tls, and both are trusted', async () => {
    const asks = js(`${ASK}; for (const url of [process.env.EDGESIM_URL, 'https://${HOST}'])
      console.log((await ask(url + '/api_keys'))[0])`)
    expect(await exec(['--as', HOST, '--tls'], asks)).toMatchObject({ code: 0, out: '200\n200\n', err: '' })
  })

  it.runIf(ALL)('works with --vary', async () => {
    const { code, out } = await exec(['--as', HOST, '--vary', 'page_order'], ASK_HOST)
    expect(code).toBe(0)
    expect(out).toMatch(/page_order=\w+ +same/)
  })
})

describe.concurrent('edgesim --as', () => {
  it.runIf(ALL)('prints the variables that edgesim env prints', async () => {
    const { ready } = await startEdgesim(['--as', HOST])
    expect(ready).toMatchObject({ as: [HOST], vendor: 'ngrok', variables: { EDGESIM_URL: ready.url } })
    const { code, out } = await edgesim(['env', '--url', ready.url])
    expect(code).toBe(0)
    for (const [name, value] of Object.entries(ready.variables)) expect(out).toContain(`export ${name}='${value}'\n`)
    const shell = async (script: string) =>
      (await promisify(execFile)('sh', ['-c', script, 'sh', out, ...ASK_HOST], { env: cleanEnvironment() })).stdout
    if (process.platform === 'win32') return
    const [status, body] = JSON.parse(await shell('eval "$1"; shift; "$@"'))
    expect({ status, uri: body.uri }).toEqual({ status: 200, uri: `https://${HOST}/api_keys` })
  })

  it.runIf(ALL)('prints the variables at startup', async () => {
    const { until } = launch(['--as', HOST, '--port', '0'])
    const greeting = await until(/curl/)
    expect(greeting).toContain(
      `redirected hosts: ${HOST}. Set these variables for clients, or run: eval "$(edgesim env --url http`,
    )
    expect(greeting).toMatch(/^ {2}export HTTPS_PROXY='http:\/\/edgesim:\S{24}@127\.0\.0\.1:\d+'$/m)
  })
})

describe('The option --as', () => {
  it.each<[string, string[], Record<string, string>, string]>([
    ['flags', ['--as', HOST, '--as=b.test', '--as', HOST], {}, 'as = ["api.ngrok.com","b.test"]  (--as)'],
    ['a variable', [], { EDGESIM_AS: 'A.test, b.test' }, 'as = ["a.test","b.test"]  (EDGESIM_AS)'],
    ['a variable set to true', [], { EDGESIM_AS: 'true' }, 'as = true  (EDGESIM_AS)'],
    ['a flag before another flag', ['--as', '--tls'], {}, 'as = true  (--as)'],
    ['a known host', ['--as', HOST], {}, 'vendor = "ngrok"  (--as)'],
    ['a known host and a vendor', ['--as', HOST, '--vendor', 'acme'], {}, 'vendor = "acme"  (--vendor)'],
  ])('is read from %s', async (_, args, env, line) => {
    const { code, out } = await edgesimHere([...args, '--print-config'], { env })
    expect(code).toBe(0)
    expect(out.split('\n')).toContain(line)
  })
})

describe('edgesim env', () => {
  it.runIf(ALL)('prints JSON, merged with the current variables', async () => {
    const { url } = await simulate({ as: [HOST] })
    const before = { NODE_OPTIONS: '--max-old-space-size=99', NO_PROXY: 'internal.test,.ngrok.com' }
    const { code, out } = await edgesimHere(['env', '--json'], { env: { EDGESIM_URL: url, ...before } })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      NODE_OPTIONS: expect.stringMatching(/^--max-old-space-size=99 --require=".*stand-in\.cjs"$/),
      NO_PROXY: 'localhost,127.0.0.1,::1,internal.test',
    })
  })

  it.runIf(ALL)('prefers --port to the variables of an earlier simulator', async () => {
    const { url, port } = await simulate()
    const left = { EDGESIM_URL: 'http://127.0.0.1:1', EDGESIM_CERTIFICATE: '/nowhere/ca.pem' }
    const { code, out } = await edgesimHere(['env', '--port', String(port)], { env: left })
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`export EDGESIM_URL='${url}'`) })
  })

  it.runIf(ALL)('requires the control token if the simulator has one', async () => {
    const { url } = await simulate({ controlToken: 'secret' })
    const { code, err } = await edgesimHere(['env', '--url', url])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The control API requires a token') })
    const { out } = await edgesimHere(['env', '--url', url, '--control-token', 'secret'])
    expect(out).toBe(`export EDGESIM_URL='${url}'\nexport EDGESIM_TOKEN='sim_admin'\n`)
  })

  it('suggests a fix if nothing is running', async () => {
    const { code, out, err } = await edgesimHere(['env', '--url', 'http://127.0.0.1:1'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^edgesim: Cannot reach the simulator at http:\/\/127\.0\.0\.1:1: .*\. Start it with npx edgesim --as HOST, or set --url/,
    )
  })
})
