import { format } from 'node:util'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, vi } from 'vitest'
import { openapi } from '../../src/engine/describe/openapi.ts'
import { ngrok } from '../../src/ngrok/api.ts'
import { operations } from '../../src/ngrok/resources/index.ts'
import type { SimulatorOptions } from '../../src/simulator/options/options.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import type { Hooks, Notice, Parts } from '../../src/simulator/types.ts'
import { afterwards } from './afterwards.ts'
import { cleanEnvironment, type SpawnOptions } from './as-process.ts'
import { type Call, callsOf, type TestResponse } from './http.ts'
import { LONG } from './long.ts'

/** A simulator on a free port, closed after the test. */
export async function simulate(options: SimulatorOptions = {}, inner: Hooks & Parts = {}) {
  const notices: Notice[] = []
  const onNotice = (notice: Notice) => {
    notices.push(notice)
    inner.onNotice?.(notice)
  }
  const simulator = await runSimulator({ port: 0, ...options }, { ...inner, onNotice }, inner)
  let isClosed = false
  const close = () => {
    isClosed = true
    return simulator.close()
  }
  afterwards(() => isClosed || simulator.close())
  return { ...simulator, close, notices, ...callsOf({ ...simulator, vendor: options.vendor }, checkResponse) }
}

export type Simulated = Awaited<ReturnType<typeof simulate>>

interface Described {
  responses: Record<string, { content?: { 'application/json': { schema: { $ref: string } } } }>
}

const document = openapi(ngrok, { url: 'http://127.0.0.1', version: '0', vendor: 'service', assumed: {} }) as {
  paths: Record<string, Record<string, Described>>
}
// Most schemas check few responses, so optimizing their code takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
addFormats(ajv)
ajv.addSchema(document as Record<string, unknown>, 'api')

const templates = Object.keys(document.paths).map(path => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Every API response must match the OpenAPI document. */
function checkResponse(method: string, target: string, response: TestResponse) {
  const path = target.split('?')[0]!
  if (path.startsWith('/_sim')) return
  const template = templates.find(({ pattern }) => pattern.test(path))
  const operation = template && document.paths[template.path]![method.toLowerCase()]
  const described = operation?.responses[response.status]
  if (response.status < 400 && operation) expect(described, `${method} ${path}: ${response.status}`).toBeDefined()
  const schema =
    response.status < 400 ? described?.content?.['application/json'].schema.$ref : '#/components/schemas/Error'
  if (!schema) return expect(response.text).toBe('')
  const validate = ajv.getSchema(`api${schema}`)!
  expect(validate(response.body), `${method} ${target}: ${ajv.errorsText(validate.errors)}`).toBe(true)
}

export interface Route {
  method: string
  path: string
}

/** Values of path parameters. */
const VALUES: Record<string, string> = { sandbox: 'default', collection: 'users' }
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? 'nobody')

/** All core operations, and one neighbour of each kind. The long run uses all neighbours. */
export const apiRoutes: Route[] = operations
  .filter(
    ({ kind, undocumented }, i) => LONG || !undocumented || operations.findIndex(each => each.kind === kind) === i,
  )
  .map(({ method, path }) => ({ method, path: fill(path) }))

/** Every control plane route, from the OpenAPI document that is generated from the router's table. */
export async function controlRoutes(call: Call, token?: string): Promise<Route[]> {
  const { body } = await call('GET', '/_sim/control.json', undefined, { token })
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ method: method.toUpperCase(), path: fill(path) })),
  )
}

let turn: Promise<unknown> = Promise.resolve()

/** Runs a command in this process, a hundred times faster. Not for servers, signals, locales or exits. */
export function edgesimHere(args: string[], options: Omit<SpawnOptions, 'command'> = {}) {
  // One at a time, since the working directory and the console are global.
  const result = turn.then(() => run(args, options))
  turn = result.catch(() => {})
  return result
}

async function run(args: string[], { env = {}, cwd = process.cwd() }: SpawnOptions) {
  const { main } = await import('../../src/cli/main.ts')
  const before = process.cwd()
  const printed = { out: '', err: '' }
  const spyOn = (method: 'log' | 'error', to: 'out' | 'err') =>
    vi.spyOn(console, method).mockImplementation((...words) => {
      printed[to] += `${format(...words)}\n`
    })
  const spies = [spyOn('log', 'out'), spyOn('error', 'err')]
  process.chdir(cwd)
  try {
    return { code: await main(args, { ...cleanEnvironment(), ...env }), ...printed }
  } finally {
    process.chdir(before)
    for (const spy of spies) spy.mockRestore()
  }
}
