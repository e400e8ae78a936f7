import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { nginx } from '../simulator/scale/proxies.ts'
import { afterwards, folderWith, root } from '../support/afterwards.ts'
import { listening } from '../support/http.ts'
import { live, openAt, skipped, startFor } from './page.ts'

const HOST = 'edgesim.localhost'

/** A listening socket for nginx, so no other process can take its port. */
async function openPort() {
  const server = createServer()
  return { port: await listening(server), server }
}

/** Runs nginx with this server block until the test ends. */
async function startNginx({ server: socket }: { server: Server }, server: string, files: Record<string, string> = {}) {
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
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle
  const child = spawn(nginx!, ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    // As in an nginx upgrade, file descriptor 3 already listens, and connections wait in it.
    env: { ...process.env, NGINX: '3;' },
    stdio: ['ignore', 'ignore', 'inherit', fd],
  })
  const ended = once(child, 'exit')
  afterwards(async () => {
    child.kill()
    await ended
  })
  await once(child, 'spawn')
  socket.close()
}

/** The nginx block of docs/deployment.md that starts with this word. */
function recipe(begin: string, port: number): string {
  const text = readFileSync(join(root, 'docs/deployment.md'), 'utf8')
  const [, block] = new RegExp(`\`\`\`nginx\\n(${begin} [\\s\\S]*?)\\n\`\`\``).exec(text)!
  return block!.replaceAll('127.0.0.1:4600', `127.0.0.1:${port}`)
}

/** Checks what a proxy can break: files, events, control API and API calls, links. */
async function expectWorkingPage(address: string) {
  const page = await openAt(`${address}/`, {})
  await live(page)
  expect(page.url()).toBe(`${address}/_sim/`)
  await page.getByText(address, { exact: true }).first().waitFor()
  await page.goto(`${address}/_sim/#/resources/api_keys/new`)
  await page.getByLabel('description').first().fill('through the proxy')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('The token is shown only once').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.goto(`${address}/_sim/#/requests`)
  await page.getByRole('row', { name: /201.*POST.*\/api_keys/ }).waitFor()
  await page.goto(`${address}/_sim/#/time`)
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
}

describe.skipIf(skipped || !nginx)('The dashboard behind nginx', () => {
  it('works with a plain proxy_pass under a path prefix', async () => {
    const { port } = await startFor()
    const own = await openPort()
    await startNginx(own, `server { listen 127.0.0.1:${own.port}; ${recipe('location', port)} }`)
    await expectWorkingPage(`http://127.0.0.1:${own.port}/tools/edgesim`)
  })

  it('works with --base-url https://… as in docs/deployment.md', async () => {
    const own = await openPort()
    const address = `https://${HOST}:${own.port}`
    const { port } = await startFor({ baseUrl: address, trustProxy: true })
    const server = recipe('server', port)
      .replace('listen 443 ssl', `listen 127.0.0.1:${own.port} ssl`)
      .replaceAll('edgesim.example.test', HOST)
    const { private: key, cert } = await generate([{ name: 'commonName', value: HOST }])
    await startNginx(own, server, { 'edgesim.pem': cert, 'edgesim.key': key })
    await expectWorkingPage(address)
  })
})
