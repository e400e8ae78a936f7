import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ControlError,
  connect,
  type SandboxHandle,
  SimulatorError,
  type SimulatorOptions,
  startSimulator,
  VerifyError,
} from '../../src/index.ts'
import { afterwards, folderWith } from '../support/afterwards.ts'
import { subscribe } from '../support/events.ts'
import { expectHar, linesOf } from '../support/har.ts'
import { type Call, callsOf, listening } from '../support/http.ts'

const sim = await startSimulator()
afterwards(() => sim.close())

const call = (sandbox: Pick<SandboxHandle, 'url' | 'token'>, ...what: Parameters<Call>) =>
  callsOf(sandbox).call(...what)
const create = (sandbox: SandboxHandle, description = 'x') => call(sandbox, 'POST', '/api_keys', { description })
const statusOf = async (sandbox: SandboxHandle) => (await call(sandbox, 'GET', '/api_keys')).status
const keysOf = async (sandbox: SandboxHandle) => (await call(sandbox, 'GET', '/api_keys')).body.keys
const count = async (sandbox: SandboxHandle) => (await keysOf(sandbox)).length

describe('startSimulator', () => {
  it('listens on a free port and returns a valid token', async () => {
    expect(sim.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(sim.token).toBe('sim_admin')
    expect((await call(sim.default, 'GET', '/api_keys')).status).toBe(200)
  })

  it('accepts a fixture and a scenario by name, by path or inline', async () => {
    await using byName = await startSimulator({ fixture: 'empty', scenario: 'outage' })
    expect((await call(byName.default, 'GET', '/api_keys')).status).toBe(503)
    await using byPath = await startSimulator({ fixture: 'fixtures/empty.json' })
    expect(await keysOf(byPath.default)).toHaveLength(1)
    const rules = [{ fault: { type: 'error', status: 418 } }]
    await using asItIs = await startSimulator({
      fixture: { users: [{ id: 'usr_me' }] },
      scenario: { name: 'tea', rules },
    })
    expect((await call(asItIs.default, 'GET', '/api_keys')).status).toBe(418)
  })

  it('loads the fixture and scenario of a sandbox by path', async () => {
    const folder = folderWith({
      'mine.json': { users: [{ id: 'usr_me', admin: true }], api_keys: [{ id: 'ak_me', token: 'mine' }] },
      'tea.yaml': 'rules: [{ fault: { type: error, status: 418 } }]\n',
      'bad.json': '{ "users": ',
    })
    const recipe = { fixture: join(folder, 'mine.json'), scenario: join(folder, 'tea.yaml') }
    const sandbox = await sim.sandbox('by-path', recipe)
    expect(sandbox.token).toBe('mine~by-path')
    expect((await call(sandbox, 'GET', '/api_keys')).status).toBe(418)
    await sandbox.endScenario()
    expect(await keysOf(sandbox)).toMatchObject([{ id: 'ak_me' }])
    await sandbox.useScenario(recipe.scenario)
    expect((await call(sandbox, 'GET', '/api_keys')).status).toBe(418)
    await expect(sim.sandbox('x', { fixture: './none.json' })).rejects.toThrow(
      /^\.\/none\.json:1:1: cannot read the file/,
    )
    await expect(sim.sandbox('x', { fixture: join(folder, 'bad.json') })).rejects.toThrow(/bad\.json:1:\d+: invalid/)
  })

  it('ignores the environment', async () => {
    process.env.EDGESIM_VENDOR = 'other'
    await using one = await startSimulator().finally(() => delete process.env.EDGESIM_VENDOR)
    expect((await call(one.default, 'GET', '/api_keys')).status).toBe(200)
  })

  it.each([
    [{ prot: 1 }, /Unknown option "prot" of startSimulator\. Did you mean port\?/],
    [{ port: '1' }, /port: must be an integer, got "1"/],
    [{ port: 70000 }, /0 to 65535, got 70000/],
    [{ clock: 'noon' }, /clock: must be an RFC 3339 time/],
    [{ assume: { page_oder: 'x' } }, /unknown assumption "page_oder"\. Did you mean page_order\?/],
    [{ assume: { page_order: 'x' } }, /newest_first, oldest_first, got "x"/],
    [{ durability: 'much' }, /durability: must be one of log, fsync, got "much"/],
    [{ cors: 'http://a.test' }, /cors: must be a list of strings/],
    [{ fixture: { user: [] } }, /unknown field "user"\. Did you mean users\?/],
    [{ fixture: 'no-such-file.json' }, /no-such-file\.json:1:1: cannot read the file/],
    [{ scenario: { rules: [{ fault: { type: 'eror' } }] } }, /error/],
  ])('rejects %o', async (options, message) => {
    const error = await startSimulator(options as object).catch(error => error)
    expect(error).toBeInstanceOf(SimulatorError)
    expect(error.message).toMatch(message)
  })

  it('rejects with a code, and with the errors of a file as data', async () => {
    const folder = folderWith({
      'bad.json': '{\n  "users": [{ "id": "usr_x" }],\n  "user": []\n}',
      'broken.json': '{',
      'good.json': {},
    })
    const codeOf = (options: SimulatorOptions) =>
      startSimulator(options).then(
        sim => sim.close(),
        error => error.code,
      )
    const [file, good] = [join(folder, 'bad.json'), join(folder, 'good.json')]
    expect(await startSimulator({ fixture: file }).catch(error => error)).toMatchObject({
      name: 'FileError',
      code: 'INVALID_FILE',
      file,
      problems: [{ line: 3, column: 3, message: expect.stringContaining('Did you mean users?') }],
    })
    expect(await codeOf({ port: Number(new URL(sim.url).port) })).toBe('PORT_IN_USE')
    expect(await codeOf({ host: '0.0.0.0' })).toBe('UNSAFE_HOST')
    expect(await codeOf({ host: '127.0.0.1.1' })).toBe('UNSAFE_HOST')
    expect(await codeOf({ host: '192.0.2.1', controlToken: 'x' })).toBe('CANNOT_LISTEN')
    expect(await codeOf({ vendor: '' })).toBe('INVALID_OPTION')
    expect(await codeOf({ fixture: { users: [{ id: 'x' }] } as object })).toBe('INVALID_OPTION')
    expect(await codeOf({ db: join(folder, 'none/db.json') })).toBe('DATABASE_UNUSABLE')
    expect(await codeOf({ db: good, fixture: good })).toBe('DATABASE_IS_FIXTURE')
    expect(await codeOf({ db: join(folder, 'broken.json') })).toBe('DATABASE_DAMAGED')
    const db = join(folder, 'db.json')
    await using _holder = await startSimulator({ db })
    expect(await codeOf({ db })).toBe('DATABASE_IN_USE')
    expect(await codeOf({ db: file, fresh: true })).toBe('DATABASE_FOREIGN')
    await expect(connect('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'UNREACHABLE' })
    await expect(sim.sandbox('')).rejects.toThrow('The sandbox name is empty')
    await expect(sim.sandbox('No/Such')).rejects.toMatchObject({ code: 'CONTROL_REFUSED', status: 400 })
  })

  it('can be closed more than once', async () => {
    const one = await startSimulator()
    await Promise.all([one.close(), one.close()])
    await one[Symbol.asyncDispose]()
    await expect(fetch(one.url)).rejects.toThrow()
  })

  it('is controlled at its own address, with any --base-url', async () => {
    const options = { baseUrl: 'https://api.example.test', tls: true, host: '0.0.0.0', controlToken: 'secret' }
    await using one = await startSimulator(options)
    expect(one.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(one.certificate).toMatch(/^-----BEGIN CERTIFICATE-----/)
    const sandbox = await one.sandbox('mine')
    expect(sandbox.url).toBe(one.url)
    expect((await sandbox.state()).api_keys).toHaveLength(3)
  })
})

type Step = (sandbox: SandboxHandle) => unknown

const TIME = '2030-01-02T03:04:05Z'
const SLOW = { name: 'slow', rules: [{ name: 'all', latency: '1ms' }] }
const freeze: Step = ({ clock }) => clock.freeze(TIME)
const now: Step = ({ clock }) => clock.now()
const isReal: Step = async ({ clock }) => (await clock.now()).getFullYear() > 2001

/** Steps in a sandbox with one more key than the fixture, and the result of the last step. */
const METHODS: [method: string, steps: Step[], returns: unknown][] = [
  ['state', [async box => (await box.state()).api_keys!.length], 4],
  ['setState', [async box => box.setState(await box.state()), count], 4],
  ['reset', [box => box.reset(), count], 3],
  ['snapshot and restore', [box => box.snapshot('now'), box => create(box), box => box.restore('now'), count], 4],
  ['rewind', [async box => box.rewind((await box.requests())[0]!.id), count], 3],
  ['requests', [box => box.requests({ status: '2xx', limit: 1 })], [{ method: 'POST', status: 201 }]],
  ['requests that no entry matches', [box => box.requests({ method: 'PUT' })], []],
  ['request', [async box => box.request((await box.requests())[0]!.id)], { operation: 'create_api_key', status: 201 }],
  ['har', [async box => linesOf(expectHar(await box.har({ method: 'POST' })))], ['POST /api_keys 201']],
  ['useScenario', [box => box.useScenario('outage'), statusOf], 503],
  ['endScenario', [box => box.useScenario('outage'), box => box.endScenario(), statusOf], 200],
  [
    'scenario',
    [box => box.useScenario(SLOW), box => create(box), box => box.scenario()],
    { name: 'slow', rules: [{ name: 'all', matched: 1, fired: 1 }] },
  ],
  ['clock.freeze and clock.now', [freeze, now], new Date(TIME)],
  ['clock.freeze with a Date', [({ clock }) => clock.freeze(new Date(TIME)), now], new Date(TIME)],
  ['clock.advance', [freeze, ({ clock }) => clock.advance('24h'), now], new Date('2030-01-03T03:04:05Z')],
  ['clock.freeze without a time', [({ clock }) => clock.freeze(), isReal], true],
  ['clock.resume', [({ clock }) => clock.freeze('2001-01-01T00:00:00Z'), ({ clock }) => clock.resume(), isReal], true],
]

describe('A sandbox', () => {
  it('is created on demand, and found by its name', async () => {
    const first = await sim.sandbox('found-again')
    await create(first)
    const second = await sim.sandbox('found-again')
    const { name, url, token } = second
    expect({ name, url, token }).toEqual({ name: 'found-again', url: sim.url, token: 'sim_admin~found-again' })
    expect(await keysOf(second)).toHaveLength(4)
  })

  it('has an unused name by default', async () => {
    const sandboxes = await Promise.all([sim.sandbox(), sim.sandbox(), sim.sandbox()])
    expect(new Set(sandboxes.map(({ name }) => name)).size).toBe(3)
  })

  it('is created from a recipe, and reset to it', async () => {
    const recipe = { fixture: 'empty', scenario: { rules: [{ latency: '1ms' }] }, seed: 7 }
    const sandbox = await sim.sandbox('of-a-recipe', recipe)
    const first = (await create(sandbox)).body.id
    expect(await keysOf(sandbox)).toHaveLength(2)
    expect((await create(await sim.sandbox('of-a-recipe', recipe))).body.id).toBe(first)
    await expect(sim.sandbox('of-a-recipe', { fixture: 'emty' })).rejects.toThrow(/Did you mean empty\?/)
  })

  it.each(METHODS)('has a handle with %s', async (_, steps, returns) => {
    const sandbox = await sim.sandbox()
    await create(sandbox)
    let last: unknown
    for (const step of steps) last = await step(sandbox)
    expect({ returns: last }).toMatchObject({ returns })
  })

  it.each<[what: string, run: Step, says: RegExp]>([
    ['an unknown request', box => box.request('op_none'), /op_none/],
    ['an unknown snapshot', box => box.restore('nope'), /nope/],
    ['an unknown scenario', box => box.useScenario('outag'), /outage/],
    ['an invalid state', box => box.setState({ user: [] } as object), /Did you mean users/],
  ])('rejects %s with a ControlError', async (_, run, says) => {
    const sandbox = await sim.sandbox()
    await expect(run(sandbox)).rejects.toSatisfy(error => error instanceof ControlError && says.test(error.message))
  })

  it('has the token of its new state', async () => {
    const sandbox = await sim.sandbox()
    const before = sandbox.token
    await sandbox.setState({ users: [{ id: 'usr_x', admin: true }], api_keys: [{ id: 'ak_x', token: 'my_own' }] })
    expect(sandbox.token).toBe(`my_own~${sandbox.name}`)
    expect(await keysOf(sandbox)).toHaveLength(1)
    await sandbox.reset()
    expect(sandbox.token).toBe(before)
    await sandbox.useScenario({ state: { api_keys: [{ id: 'ak_admin', token: 'rotated' }] } })
    expect(sandbox.token).toBe(`rotated~${sandbox.name}`)
  })

  it('lists, adds, changes and removes raw records', async () => {
    const policies = (await sim.sandbox()).db('ip_policies')
    const { id } = await policies.add({ description: 'Home', rules: [{ action: 'allow', cidr: '10.0.0.0/8' }] })
    expect(await policies.change(id, { description: 'Away' })).toMatchObject({ id, description: 'Away' })
    expect(await policies.get(id)).toMatchObject({ rules: [{ cidr: '10.0.0.0/8' }] })
    expect((await policies.list({ description: 'Away' })).map(row => row.id)).toEqual([id])
    await policies.remove(id)
    expect(await policies.list({ id })).toEqual([])
    await expect(policies.get(id)).rejects.toThrow(ControlError)
  })

  it('emits events', async () => {
    const sandbox = await sim.sandbox()
    const seen: string[] = []
    const reading = (async () => {
      for await (const { type } of sandbox.events()) {
        seen.push(type)
        if (type === 'request') break
      }
    })()
    await expect.poll(async () => (await create(sandbox)) && seen.includes('request')).toBe(true)
    await reading
    expect(new Set(seen)).toEqual(new Set(['change', 'request']))
  })

  it('verifies requests, or throws with the closest ones', async () => {
    const sandbox = await sim.sandbox()
    const { body: key } = await create(sandbox, 'right')
    const [id] = await sandbox.verify({ operation: 'create_api_key', where: { 'body.description': 'right' }, count: 1 })
    expect(await sandbox.requests()).toMatchObject([{ id, response: { body: { id: key.id } } }])
    const wrong = sandbox.verify({ operation: 'create_api_key', where: { 'body.description': 'wrong' } })
    await expect(wrong).rejects.toThrow(VerifyError)
    const error: VerifyError = await wrong.catch(error => error)
    expect(error.name).toBe('VerifyError')
    expect(error.message).toMatch(
      new RegExp(`\\nClosest:\\n {2}POST /api_keys \\(${id}\\): body\\.description must be "wrong", got "right"$`),
    )
    expect(error).toMatchObject({ matched: [], nearest: [{ id, differs: [{ field: 'body.description' }] }] })
    await expect(sandbox.verify({ operation: 'creat_api_key' as 'create_api_key' })).rejects.toThrow(
      /Did you mean create_api_key\?/,
    )
  })

  it('shows and verifies published events', async () => {
    const sandbox = await sim.sandbox()
    const [to] = (await subscribe(callsOf(sandbox).call, ['api_key_created.v0'])).destinations
    await create(sandbox, 'right')
    const [delivery] = await sandbox.deliveries({ type: 'api_key_*', destination: to })
    expect(await sandbox.verifyDelivery({ where: { 'object.description': 'right' } })).toEqual([delivery!.id])
    const error = await sandbox.verifyDelivery({ where: { 'object.description': 'wrong' } }).catch(error => error)
    expect(error).toBeInstanceOf(VerifyError)
    const closest = `\n  api_key_created.v0 for ${to} (${delivery!.id}): object.description must be "wrong", got "right"`
    expect(error.message).toContain(closest)
  })

  it('is dropped by a call or at the end of a scope', async () => {
    let gone: SandboxHandle
    {
      await using sandbox = await sim.sandbox('short-lived')
      gone = sandbox
      await create(sandbox)
    }
    await expect(gone.state()).rejects.toThrow(/Sandbox "short-lived" not found/)
    await gone.drop()
    await expect(sim.default.drop()).rejects.toThrow(/cannot be dropped/)
  })
})

describe('connect', () => {
  it('controls a simulator in another process, and leaves it running', async () => {
    const other = await connect(`${sim.url}/`)
    expect(other).toMatchObject({ url: sim.url, token: 'sim_admin' })
    const sandbox = await other.sandbox('from-elsewhere')
    await create(sandbox)
    await other.close()
    expect(await keysOf(await sim.sandbox('from-elsewhere'))).toHaveLength(4)
  })

  it('uses the passed control token and certificate', async () => {
    await using server = await startSimulator({ tls: true, controlToken: 'secret' })
    const ca = server.certificate
    await expect(connect(server.url, { ca })).rejects.toThrow(ControlError)
    await expect(connect(server.url, { controlToken: 'secret' })).rejects.toThrow(
      /^Cannot reach the simulator at .*self-signed/,
    )
    expect((await connect(server.url, { controlToken: 'secret', ca })).token).toBe('sim_admin')
  })

  it('rejects with UNREACHABLE if the simulator ends during a response', async () => {
    const dying = createServer((_, res) => {
      res.writeHead(200, { 'content-length': 99 }).write('{"tokens":')
      res.socket!.end()
    })
    const url = `http://127.0.0.1:${await listening(dying)}`
    await expect(connect(url)).rejects.toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining(url) })
  })

  it('rejects if nothing responds, or a server other than edgesim', async () => {
    const gone = await startSimulator()
    await gone.close()
    await expect(connect(gone.url)).rejects.toThrow(`Cannot reach the simulator at ${gone.url}: `)
    const other = `http://127.0.0.1:${await listening(createServer((_, res) => res.end('<p>Hello')))}`
    await expect(connect(other)).rejects.toThrow(/is not edgesim/)
  })
})
