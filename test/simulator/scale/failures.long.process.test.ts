import { describe, expect, it } from 'vitest'
import type { SandboxHandle } from '../../../src/index.ts'
import { startEdgesim } from '../../support/as-process.ts'
import { LONG, LONG_MS } from '../../support/long.ts'
import { forEach, pooledClient, type Reply } from '../../support/raw-http.ts'
import { instanceIn, namesOf, spread } from './load.ts'
import { nginx } from './proxies.ts'
import { CONTROL_TOKEN, type Shared, simulatorAt, startShared } from './shared.ts'

const SIMULATORS = LONG ? 4 : 2
const SANDBOXES = LONG ? 1_000 : 60
const AT_ONCE = 32

const listKeys = (name: string) => ({ method: 'GET', path: '/api_keys', token: `sim_admin~${name}` })

async function askAll(port: number, names: string[], hear: (name: string, response: Reply) => void) {
  const client = pooledClient(port, AT_ONCE)
  try {
    await forEach(names, AT_ONCE, async name => hear(name, await client.send(listKeys(name))))
  } finally {
    client.close()
  }
}

async function homeOf(name: string, { processes }: Shared) {
  const simulators = await Promise.all([...processes().keys()].map(simulatorAt))
  const { port, instance } = simulators.find(({ sandboxes }) => sandboxes.some(each => each.name === name))!
  return { instance, kill: () => process.kill(processes().get(port)!, 'SIGKILL') }
}

/** The error codes of the handle until TWO_INSTANCES. */
async function complaintsOf(sandbox: SandboxHandle): Promise<string[]> {
  const codes: string[] = []
  while (codes.at(-1) !== 'TWO_INSTANCES') await sandbox.requests().catch(({ code }) => codes.push(code))
  return codes
}

describe.skipIf(!nginx)('A shared simulator', { timeout: LONG_MS }, () => {
  it('that loses a process restarts only the sandboxes of that process', async () => {
    const shared = await startShared({ simulators: SIMULATORS })
    const names = namesOf(SANDBOXES)
    const { homes, wrong } = await spread(shared.port, names, 2)
    expect(wrong).toEqual([])
    const sandbox = await (await shared.connected()).sandbox('sandbox-0')
    const { instance: killed, kill } = await homeOf('sandbox-0', shared)
    const lost = names.filter(name => homes.get(name) === killed)
    expect(lost.length).toBeLessThan(names.length)

    // Each sandbox has one key in addition to the three in the fixture. Responses show the process and the key count.
    const seen = new Map<string, string[]>(names.map(name => [name, []]))
    const others = new Set<string>()
    const hear = (name: string, response: Reply) => {
      const instance = instanceIn(response)
      const isHome = instance === homes.get(name)
      if (instance && !isHome) others.add(instance)
      const keys = response.status === 200 ? JSON.parse(response.text).keys.length : 0
      seen.get(name)!.push(`${instance ? (isHome ? 'home' : 'anew') : 'none'} ${response.status} ${keys}`)
    }
    await askAll(shared.port, names, hear)
    let complaints: Promise<string[]> | undefined
    let count = 0
    await askAll(shared.port, names, (name, response) => {
      hear(name, response)
      if (++count !== names.length / 2) return
      kill()
      complaints = complaintsOf(sandbox)
    })
    const isBack = () => lost.every(name => seen.get(name)!.at(-1)!.startsWith('anew'))
    while (!isBack()) await askAll(shared.port, names, hear)
    await askAll(shared.port, names, hear)

    const summaryOf = (name: string) => [...new Set(seen.get(name)!)].join(', ')
    const kept = names.filter(name => !lost.includes(name))
    expect(kept.map(summaryOf).filter(each => each !== 'home 200 4')).toEqual([])
    const expected = ['home 200 4, none 502 0, anew 200 3', 'home 200 4, anew 200 3']
    expect(lost.filter(name => !expected.includes(summaryOf(name))).map(name => seen.get(name))).toEqual([])
    expect(lost.map(summaryOf)).toContain(expected[0])
    expect(others.size).toBe(1)
    if (LONG) console.log(`killed under load: ${lost.length} of ${names.length} sandboxes started anew`)
    expect(['UNREACHABLE', 'TWO_INSTANCES']).toEqual(expect.arrayContaining(await complaints!))
    expect(shared.printed.out).toMatch(/ended \(SIGKILL\), and its sandboxes are gone; another takes its place\n/)
    await expect((await shared.connected()).sandbox('sandbox-0')).resolves.toMatchObject({ name: 'sandbox-0' })
  })

  it('with an added process moves only a share of the sandboxes to it', async () => {
    const shared = await startShared({ simulators: SIMULATORS })
    const names = namesOf(SANDBOXES)
    const { homes } = await spread(shared.port, names, 1)
    const { ready } = await startEdgesim(['--control-token', CONTROL_TOKEN])
    const { port, instance } = await simulatorAt(Number(new URL(ready.url).port))
    const mark = shared.reconfigure(text =>
      text.replace(/(?: *server 127.*\n)+/, `$&    server 127.0.0.1:${port} max_fails=0;\n`),
    )
    const places = new Map<string, string>()
    const askWithout = async () => {
      const without: string[] = []
      await askAll(shared.port, names, (name, response) => {
        if (response.headers.get('configuration') !== mark) without.push(name)
        places.set(name, instanceIn(response)!)
      })
      return without
    }
    await expect.poll(askWithout).toEqual([])
    const moved = names.filter(name => places.get(name) !== homes.get(name))
    if (LONG) console.log(`${moved.length} of ${names.length} sandboxes moved to process ${SIMULATORS + 1}`)
    expect(moved.filter(name => places.get(name) !== instance)).toEqual([])
    expect(moved.length).toBeGreaterThan(SANDBOXES * (LONG ? 0.1 : 0.05))
    expect(moved.length).toBeLessThan(SANDBOXES * (LONG ? 0.3 : 0.7))
  })
})
