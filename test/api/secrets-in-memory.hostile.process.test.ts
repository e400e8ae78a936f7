import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bin, folderWith, startEdgesim } from '../support/cli.ts'

it.skipIf(process.platform === 'win32')('holds no token that was created over the API in its memory', async () => {
  const cwd = folderWith()
  const command = [process.execPath, '--heapsnapshot-signal=SIGUSR2', bin]
  const { call, child } = await startEdgesim([], { cwd, command })
  const body = JSON.stringify({ description: 'a text that the journal holds' })
  const { body: key } = await call('/api_keys', { method: 'POST', body })
  const { token } = key
  expect((await call('/api_keys', { token })).status).toBe(200)
  expect((await call('/api_keys', { token, method: 'POST', body: JSON.stringify({ token }) })).status).toBe(400)
  expect((await call('/nowhere', { token })).status).toBe(404)
  expect((await call('/api_keys', { token: `${token}~nowhere` })).status).toBe(401)
  for (let i = 0; i < 3; i++) await call('/api_keys')
  const [secret] = token.split('_').slice(1)

  child.kill('SIGUSR2')
  const snapshot = () => readdirSync(cwd).find(name => name.endsWith('.heapsnapshot'))
  await expect.poll(snapshot).toBeDefined()
  // The snapshot is written in one go: the next answer comes after it.
  await call('/_sim/health')
  const memory = readFileSync(join(cwd, snapshot()!), 'utf8')
  expect(memory).toContain('a text that the journal holds')
  const found = memory.split('\n').filter(line => line.includes(secret.slice(0, 12)))
  expect(found.map(line => line.slice(0, 200))).toEqual([])
})
