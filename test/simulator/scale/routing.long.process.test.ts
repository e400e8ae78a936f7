import { get } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { LONG, LONG_MS } from '../../support/long.ts'
import { forEach, pooledClient } from '../../support/raw-http.ts'
import { createdIn, namesOf, spread } from './load.ts'
import { PROXIES } from './proxies.ts'
import { CONTROL_TOKEN, type Shared, simulatorAt, startShared } from './shared.ts'

const SIMULATORS = LONG ? 4 : 3
const SANDBOXES = LONG ? 1_000 : 60
const ROUNDS = LONG ? 50 : 16

const STEERING = `Bearer ${CONTROL_TOKEN}`
type Spelling = [path: string, authorization?: string]

const spellingsOf = (name: string, port: number): Spelling[] => [
  [`/_sim/sandboxes/${name}`, STEERING],
  ['/api_keys', `bEARER   sim_admin~${name} `],
  ['/api_keys?a=/_sim/sandboxes/other', `Bearer sim_admin~${name}`],
  ['/_simulators', `Bearer sim_admin~${name}`],
  [`//_sim///sandboxes//${name}//clock`, STEERING],
  [`/_sim/sandboxes/${name}/?a=~other`, STEERING],
  [`/_sim/sandboxes/${name.replace('-', '%2D')}/state`, STEERING],
  [`http://127.0.0.1:${port}/_sim/sandboxes/${name}`, STEERING],
]

/** Requests to `default`, on the control plane with any token. */
const OTHERS: Spelling[] = [
  ...namesOf(12).flatMap((name): Spelling[] => [
    ['/_sim/info', `Bearer steers~${name}`],
    ['//_sim', `Bearer steers~${name}`],
    ['/_sim/sandboxes', `Bearer steers~${name}`],
  ]),
  ['/api_keys', 'Bearer sim_admin'],
  ['/api_keys', 'Bearer sim_admin~default'],
  ['/api_keys', 'Bearer sim_admin~'],
  ['/api_keys', 'Basic fg=='],
  ['/api_keys'],
]

const instanceFor = (port: number, [path, authorization]: Spelling) =>
  new Promise<unknown>((resolve, reject) => {
    const headers = { 'service-version': '2', ...(authorization && { authorization }) }
    get({ host: '127.0.0.1', port, path, headers, agent: false }, res =>
      resolve(res.resume().headers['edgesim-instance']),
    ).on('error', reject)
  })

describe.each(PROXIES)('Behind $proxy', { timeout: LONG_MS }, ({ proxy, is }) => {
  let shared: Shared
  beforeAll(async () => {
    if (is) shared = await startShared({ simulators: SIMULATORS, proxy })
  })

  it.skipIf(!is)(`each of ${SANDBOXES} sandboxes is in one process, in ${SANDBOXES * ROUNDS} requests`, async () => {
    const { port, processes } = shared
    const names = namesOf(SANDBOXES)
    const { homes, wrong } = await spread(port, names, ROUNDS)
    expect(wrong).toEqual([])
    const simulators = await Promise.all([...processes().keys()].map(simulatorAt))
    const found = simulators.flatMap(({ instance, sandboxes }) => {
      const own = sandboxes.filter(({ name }) => name !== 'default')
      if (LONG) console.log(`${proxy}: ${own.length} of ${SANDBOXES} sandboxes in ${instance}`)
      expect(own.length).toBeGreaterThan(SANDBOXES * 0.05)
      return own.map(({ name }) => ({ name, instance }))
    })
    // No sandbox is in two processes or lost a request.
    expect(found.map(({ name }) => name).sort()).toEqual(names.toSorted())
    expect(found.filter(({ name, instance }) => homes.get(name) !== instance)).toEqual([])
    const client = pooledClient(port)
    await forEach(names, 16, async name => {
      const state = await client.send({ method: 'GET', path: `/_sim/sandboxes/${name}/state`, token: CONTROL_TOKEN })
      expect(JSON.parse(state.text).api_keys).toHaveLength(3 + createdIn(ROUNDS))
    })
    client.close()
  })

  it.skipIf(!is)('a request reaches its sandbox in every spelling', async () => {
    const { port } = shared
    // Several names, because one could be routed correctly by chance.
    const groups = [OTHERS, ...namesOf(12).map(name => spellingsOf(name, port))]
    for (const group of groups) {
      const instances = await Promise.all(group.map(each => instanceFor(port, each)))
      const strange = group.filter((_, i) => instances[i] !== instances[0])
      expect(strange).toEqual([])
      expect(instances[0]).toMatch(/^[0-9a-f]{8}$/)
    }
  })
})
