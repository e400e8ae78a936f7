import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { nginx } from '../simulator/scale/proxies.ts'
import { afterwards, folderWith, root } from '../support/afterwards.ts'
import { live, openAt, skipped, startFor } from './page.ts'

const HOST = 'edgesim.localhost'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** nginx with this server, which listens on that port, until the end of the test. */
async function startNginx(port: number, server: string, files: Record<string, string> = {}) {
  const folder = folderWith({
    ...files,
    'nginx.conf': `
      daemon off; worker_processes 1; error_log stderr error; pid nginx.pid;
      events { worker_connections 64; }
      http {
        access_log off; proxy_temp_path p; client_body_temp_path b; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
        ${server}
      }`,
  })
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const child = spawn(nginx!, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: [...stdio] })
  let told = ''
  child.stderr!.on('data', chunk => {
    told += chunk
  })
  const ended = once(child, 'exit')
  afterwards(async () => {
    child.kill()
    await ended
  })
  for (let open = false; !open; ) {
    expect(child.exitCode, told).toBe(null)
    open = await accepts(port)
  }
}

const accepts = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** The block of docs/recipes.md that begins so, for a simulator on this port. */
function recipe(begin: string, port: number): string {
  const text = readFileSync(join(root, 'docs/recipes.md'), 'utf8')
  const [, block] = new RegExp(`\`\`\`nginx\\n(${begin} [\\s\\S]*?)\\n\`\`\``).exec(text)!
  return block!.replaceAll('127.0.0.1:4600', `127.0.0.1:${port}`)
}

/** What the page does that a proxy can break: its files, events, calls of /_sim and of the API, links to other places. */
async function expectWorkingPage(address: string) {
  const page = await openAt(`${address}/`, {})
  await page.waitForURL(`${address}/_sim/`)
  await live(page)
  await page.getByText(address, { exact: true }).first().waitFor()
  await page.goto(`${address}/_sim/#/resources/api_keys/new`)
  await page.getByLabel('description').first().fill('through the proxy')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('The token is shown only once').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  // The event of the request came through too.
  await page.goto(`${address}/_sim/#/requests`)
  await page.getByRole('row', { name: /201.*POST.*\/api_keys/ }).waitFor()
  await page.goto(`${address}/_sim/#/time`)
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByRole('button', { name: 'Let it run' }).waitFor()
}

describe.skipIf(skipped || !nginx)('The page behind nginx', () => {
  it('works under a plain proxy_pass', async () => {
    const { port } = await startFor()
    const own = await freePort()
    await startNginx(own, `server { listen 127.0.0.1:${own}; location / { proxy_pass http://127.0.0.1:${port}; } }`)
    await expectWorkingPage(`http://127.0.0.1:${own}`)
  })

  it('works under a path of its own, with a plain proxy_pass', async () => {
    const { port } = await startFor()
    const own = await freePort()
    await startNginx(own, `server { listen 127.0.0.1:${own}; ${recipe('location', port)} }`)
    await expectWorkingPage(`http://127.0.0.1:${own}/tools/edgesim`)
  })

  it('works with --base-url https://… as docs/recipes.md has it', async () => {
    const own = await freePort()
    const address = `https://${HOST}:${own}`
    const { port } = await startFor({ baseUrl: address, trustProxy: true })
    const server = recipe('server', port)
      .replace('listen 443 ssl', `listen 127.0.0.1:${own} ssl`)
      .replaceAll('edgesim.example.test', HOST)
    const { private: key, cert } = await generate([{ name: 'commonName', value: HOST }])
    await startNginx(own, server, { 'edgesim.pem': cert, 'edgesim.key': key })
    await expectWorkingPage(address)
  })
})
