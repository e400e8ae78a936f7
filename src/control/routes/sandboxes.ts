import * as z from 'zod'
import { nearest } from '../../basics/nearest.ts'
import { fail } from '../../contract/errors.ts'
import type { SandboxInfo } from '../../contract/info.ts'
import { WITH_STATE } from '../../contract/lengths.ts'
import { NAME } from '../../contract/names.ts'
import type { Sandbox } from '../../sandbox/index.ts'
import type { ControlContext } from '../context.ts'
import { changes, checkName, del, destroys, get, optional, post, put, Reply, type Route, reads } from '../route.ts'

const source = z.union([z.string(), z.record(z.string(), z.unknown())])
const recipe = z.strictObject({
  name: optional(z.string(), `must match ${NAME.source}; random unless given`),
  fixture: optional(source, 'its records: the name of a fixture, or one as it is'),
  scenario: optional(source, 'how it fails: the name of a scenario, or one as it is'),
  seed: optional(z.union([z.string(), z.int()]), 'makes ids, tokens and draws repeatable'),
})

/** Tells an agent what a client needs. */
const HANDLE = 'The sandbox {name}: url {url}, bearer token {token}.'

export function sandboxRoutes(context: ControlContext): Route[] {
  const { sandboxes } = context
  const handle = (sandbox: Sandbox, origin: string) => ({
    name: sandbox.name,
    url: context.url(origin),
    token: sandboxes.tokenFor(sandbox),
  })
  const describe = (sandbox: Sandbox, origin: string): SandboxInfo => ({
    ...handle(sandbox, origin),
    requests: sandbox.journal.size,
    seq: sandbox.seq,
  })
  /** Reading a fixture takes a while, and a second request for a name must find the sandbox of the first. */
  let previous: Promise<unknown> = Promise.resolve()
  const oneAtATime = <T>(act: () => Promise<T>): Promise<T> => {
    const done = previous.then(act)
    previous = done.catch(() => {})
    return done
  }
  return [
    get('/sandboxes', 'The sandboxes there are', {
      global: true,
      tool: reads('list_sandboxes', 'Use it to see which sandboxes exist.', 'Sandboxes: {sandboxes}.', {
        brief: { sandboxes: ['name', 'requests', 'seq'] },
      }),
      run: ({ origin }) => ({ sandboxes: sandboxes.list().map(sandbox => describe(sandbox, origin)) }),
    }),
    post('/sandboxes', 'Create a sandbox, under a name or a random one', {
      global: true,
      body: recipe,
      lengths: WITH_STATE,
      statuses: [201],
      tool: changes(
        'create_sandbox',
        'Use it to get a sandbox of your own, with its own state, clock, scenario and journal: one for each test.',
        HANDLE,
      ),
      run: ({ body: { name, ...given }, origin }) =>
        oneAtATime(async () => {
          const chosen = name === undefined ? sandboxes.freeName() : checkName('the sandbox name', name)
          if (sandboxes.get(chosen))
            fail('conflict', { why: `The sandbox "${chosen}" already exists; PUT resets it, DELETE drops it` })
          return handle(await sandboxes.create(chosen, given), origin)
        }),
    }),
    get('/sandboxes/{name}', 'One sandbox', {
      global: true,
      tool: reads('get_sandbox', 'Use it to learn the address and the token of a sandbox.', HANDLE),
      run({ params, origin }) {
        const sandbox = sandboxes.get(params.name!) ?? failUnknownSandbox(context, params.name!)
        sandboxes.touch(sandbox)
        return { ...describe(sandbox, origin), tokens: sandboxes.tokensOf(sandbox) }
      },
    }),
    put('/sandboxes/{name}', 'Create a sandbox, or reset the one there is', {
      global: true,
      body: recipe.omit({ name: true }),
      lengths: WITH_STATE,
      statuses: [200, 201],
      run: ({ params, body, origin }) =>
        oneAtATime(async () => {
          const name = checkName('the sandbox name', params.name!)
          const existing = sandboxes.get(name)
          if (!existing) return new Reply(201, handle(await sandboxes.create(name, body), origin))
          if (Object.keys(body).length === 0) await existing.resetYielding()
          else await sandboxes.recreate(name, body)
          return handle(sandboxes.get(name)!, origin)
        }),
    }),
    del('/sandboxes/{name}', 'Drop a sandbox', {
      global: true,
      statuses: [204],
      tool: destroys('drop_sandbox', 'Use it when you are done with a sandbox.', 'It is dropped.'),
      run({ params }) {
        const name = params.name!
        if (name === 'default')
          fail('conflict', { why: 'The sandbox "default" cannot be dropped; POST /_sim/reset resets it' })
        if (!sandboxes.get(name)) failUnknownSandbox(context, name)
        sandboxes.drop(name)
      },
    }),
  ]
}

export function failUnknownSandbox(context: ControlContext, name: string): never {
  const names = context.sandboxes.list().map(sandbox => sandbox.name)
  const { ttl } = context.sandboxes.settings
  const dropped = ttl === undefined ? '' : ` Those that nobody uses for ${ttl} are dropped (--sandbox-ttl).`
  const exists = `There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}.${dropped}`
  fail('not_found', { what: `sandbox "${name.slice(0, 80)}"`, nearest: nearest(name, names), exists })
}
