import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'
import { LONG } from '../support/long.ts'
import { childrenOf } from '../support/namespaces.ts'
import { type Image, impossible, openStore } from './container.ts'

const built = existsSync(join(root, 'build/edgesim'))
if (LONG && !impossible && !built) console.log('The image of the executable was not tried: npm run build:binary.')

const TOKEN = { EDGESIM_CONTROL_TOKEN: 'steer' }

const statusOf = (pid: number, name: string) =>
  new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]

describe.skipIf(!LONG || impossible).each([
  { target: 'executable' as const, possible: built },
  { target: 'package' as const, possible: true },
])('The $target image', ({ target, possible }) => {
  if (!possible) return it.skip('is tested', () => {})

  let image: Image
  beforeAll(async () => {
    image = await openStore().build(target)
  }, 300_000)

  async function serve(args: string[] = [], options: Parameters<Image['run']>[1] = {}) {
    const container = image.run(args, { ...options, env: { ...TOKEN, EDGESIM_LOG: 'json', ...options.env } })
    const ready = JSON.parse((await container.until(/"event":"ready".*\n/)).split('\n')[0]!)
    return { ...container, ready }
  }

  it('serves as an unprivileged user, on a read-only file system', async () => {
    expect(image.config).toMatchObject({ ExposedPorts: { '4600/tcp': {} }, Volumes: { '/data': {} }, Cmd: [] })
    expect(statSync(join(image.files, 'data')).uid).toBe(1000)
    const { first, fetch } = await serve()
    expect(await fetch('GET', '/api_keys')).toMatchObject({ status: 200 })
    const pid = await first()
    const [program] = childrenOf(pid)
    for (const each of [pid, program!])
      expect([statusOf(each, 'Uid'), statusOf(each, 'CapEff')]).toEqual(['1000\t1000\t1000\t1000', '0'.repeat(16)])
    expect(readFileSync(`/proc/${program}/mountinfo`, 'utf8')).toMatch(/^\d+ \d+ \S+ \S+ \/ ro,/m)
  })

  const settings: Record<string, string>[] = [{}, { EDGESIM_TLS: 'true' }, { EDGESIM_PORT: '4700' }]
  it.each(settings)('is healthy while it serves, with %o', async env => {
    const { exec } = await serve([], { env })
    const [kind, ...command] = image.config.Healthcheck.Test
    expect(kind).toBe('CMD')
    const { code, out, err } = await (await exec(command)).ended
    expect({ code, err }, out).toEqual({ code: 0, err: '' })
  })

  it('is unhealthy if nothing is running', async () => {
    expect(image.program).toEqual(image.config.Healthcheck.Test.slice(1, -1))
    const { code, err } = await image.run(['health']).ended
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('ECONNREFUSED') })
  })

  it('stores its state in /data for the next container', async () => {
    const data = image.volume()
    const args = ['--db', 'db.json']
    const before = await serve(args, { data })
    const made = await before.fetch('POST', '/api_keys')
    expect(made.status).toBe(201)
    expect((await before.stop()).code).toBe(0)
    expect(existsSync(join(data, 'db.json'))).toBe(true)
    const after = await serve(args, { data })
    const { id } = JSON.parse(made.text)
    expect(await after.fetch('GET', `/api_keys/${id}`)).toMatchObject({ status: 200 })
  })

  it('requires a control token, and suggests a fix', async () => {
    const says = expect.stringContaining('Set --control-token or EDGESIM_CONTROL_TOKEN')
    expect(await image.run([]).ended).toMatchObject({ code: 2, err: says })
  })

  it('runs a command with exec without a control token', async () => {
    for (const options of [[], ['--as', 'api.example.com']]) {
      const { code, out, err } = await image.run(['exec', ...options, '--', ...image.program, 'health']).ended
      expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringMatching(/^ok: edgesim /), err: '' })
    }
  })

  it('ends on a SIGTERM immediately after startup', async () => {
    const { stop } = image.run([], { env: TOKEN })
    // Ended by the signal, or by its handler.
    expect([143, 0]).toContain((await stop()).code)
  })

  it('reaps orphaned processes', async () => {
    const { first, exec } = await serve()
    const one = await first()
    const { program } = image
    const serving = [...program, '--host', '127.0.0.1', '--port', '0', '--log', 'json']
    const { child } = await exec([...program, 'exec', '--', ...serving])
    const parentOf = () => childrenOf(child.pid)[0]
    await expect.poll(() => childrenOf(parentOf())).toHaveLength(1)
    const [orphan] = childrenOf(parentOf())
    process.kill(parentOf()!, 'SIGKILL')
    await expect.poll(() => childrenOf(one)).toContain(orphan)
    process.kill(orphan!, 'SIGTERM')
    await expect.poll(() => existsSync(`/proc/${orphan}`)).toBe(false)
  })
})
