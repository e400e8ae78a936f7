import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { bin, startEdgesim } from '../support/as-process.ts'

it.skipIf(process.platform === 'win32')(
  'A token created over the API is not in the memory of the process',
  async () => {
    const cwd = folderWith()
    const command = [process.execPath, '--heapsnapshot-signal=SIGUSR2', bin]
    const { call, as, child } = await startEdgesim([], { cwd, command })
    const body = { description: 'a text that the journal holds' }
    const { token } = (await call('POST', '/api_keys', body)).body
    expect((await as(token)('GET', '/api_keys')).status).toBe(200)
    expect((await as(token)('POST', '/api_keys', { token })).status).toBe(400)
    expect((await as(token)('GET', '/nowhere')).status).toBe(404)
    expect((await as(`${token}~nowhere`)('GET', '/api_keys')).status).toBe(401)
    for (let i = 0; i < 3; i++) await call('GET', '/api_keys')
    const [secret] = token.split('_').slice(1)

    child.kill('SIGUSR2')
    const snapshot = () => readdirSync(cwd).find(name => name.endsWith('.heapsnapshot'))
    await expect.poll(snapshot).toBeDefined()
    // The snapshot is written in one go: the next answer comes after it.
    await call('GET', '/_sim/health')
    const memory = readFileSync(join(cwd, snapshot()!), 'utf8')
    expect(memory).toContain('a text that the journal holds')
    const found = memory.split('\n').filter(line => line.includes(secret.slice(0, 12)))
    expect(found.map(line => line.slice(0, 200))).toEqual([])
  },
)
