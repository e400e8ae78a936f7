import { nearest } from '../../basics/nearest.ts'
import { anyInteger, anyObject, boolean, either, objectOf, textShape } from '../../basics/shape.ts'
import type { DefaultRequests, SandboxInfo } from '../../contract/info.ts'
import { WITH_STATE } from '../../contract/lengths.ts'
import { NAME } from '../../contract/names.ts'
import { fail } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import type { Sandboxes } from '../../engine/launch/registry.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import type { ControlContext } from '../context.ts'
import { checkName, del, get, optional, patch, post, put, Reply, type Route } from '../route.ts'

const source = either(textShape(), anyObject)
const recipe = {
  fixture: optional(source, 'Fixture, by name or as JSON'),
  scenario: optional(source, 'Scenario, by name or as JSON'),
  seed: optional(either(textShape(), anyInteger), 'Seed for repeatable ids, tokens and random choices'),
}
const name = optional(textShape(), `Name that matches ${NAME.source} [default: random]`)

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
    errors: sandbox.journal.errors,
    seq: sandbox.seq,
    created_at: new Date(sandbox.createdAt).toISOString(),
    failed: sandboxes.failed.has(sandbox.name),
  })
  /** Loading a fixture takes a while. A second request for a name must find the first one's sandbox. */
  let previous: Promise<unknown> = Promise.resolve()
  const oneAtATime = <T>(act: () => Promise<T>): Promise<T> => {
    const done = previous.then(act)
    previous = done.catch(() => {})
    return done
  }
  return [
    get('/sandboxes', 'List sandboxes', {
      global: true,
      run: ({ origin }) => ({ sandboxes: sandboxes.list().map(sandbox => describe(sandbox, origin)) }),
    }),
    post('/sandboxes', 'Create a sandbox', {
      global: true,
      body: objectOf({ name, ...recipe }),
      lengths: WITH_STATE,
      statuses: [201],
      run: ({ body: { name, ...given }, origin }) =>
        oneAtATime(async () => {
          const chosen = name === undefined ? sandboxes.freeName() : checkName('the sandbox name', name)
          if (sandboxes.get(chosen))
            fail(errors.conflict, {
              why: `The sandbox "${chosen}" already exists. Use PUT to reset it, or DELETE to drop it`,
            })
          return handle(await sandboxes.create(chosen, given), origin)
        }),
    }),
    get('/sandboxes/{name}', 'Get a sandbox', {
      global: true,
      run({ params, origin }) {
        const sandbox = sandboxes.get(params.name!) ?? failUnknownSandbox(context, params.name!)
        sandboxes.touch(sandbox)
        const strays = sandbox === sandboxes.default ? {} : { default_requests: defaultRequests(sandboxes, sandbox) }
        return { ...describe(sandbox, origin), tokens: sandboxes.tokensOf(sandbox), ...strays }
      },
    }),
    put('/sandboxes/{name}', 'Create or reset a sandbox', {
      global: true,
      body: objectOf(recipe),
      lengths: WITH_STATE,
      statuses: [200, 201],
      run: ({ params, body, origin }) =>
        oneAtATime(async () => {
          const name = checkName('the sandbox name', params.name!)
          if (!sandboxes.get(name)) return new Reply(201, handle(await sandboxes.create(name, body), origin))
          const sandbox = await sandboxes.recreate(name, body)
          sandboxes.setFailed(name, false)
          return handle(sandbox, origin)
        }),
    }),
    patch('/sandboxes/{name}', 'Mark a failed test', {
      global: true,
      body: objectOf({ failed: { shape: boolean, required: true, describe: 'Whether the test failed' } }),
      run({ params, body, origin }) {
        const sandbox = sandboxes.get(params.name!) ?? failUnknownSandbox(context, params.name!)
        sandboxes.setFailed(sandbox.name, body.failed)
        return describe(sandbox, origin)
      },
    }),
    del('/sandboxes/{name}', 'Drop a sandbox', {
      global: true,
      statuses: [204],
      run({ params }) {
        const name = params.name!
        if (name === 'default')
          fail(errors.conflict, { why: 'The sandbox "default" cannot be dropped. Use POST /_sim/reset to reset it' })
        if (!sandboxes.get(name)) failUnknownSandbox(context, name)
        sandboxes.drop(name)
      },
    }),
  ]
}

/** The requests to `default` since the sandbox was created, by key: a client with a hard-coded token sends them there. */
function defaultRequests(sandboxes: Sandboxes, sandbox: Sandbox): DefaultRequests[] {
  const { arrivalsBefore } = sandboxes.useOf(sandbox)
  const tokens = new Map(sandboxes.tokensOf(sandboxes.default).map(({ key_id, token }) => [key_id, token]))
  const counts = new Map<string | null, number>()
  for (const { arrival, method, caller } of sandboxes.default.journal.newestFirst()) {
    if (arrival <= arrivalsBefore) break
    // A browser sends no token with a preflight.
    if (method === 'OPTIONS') continue
    const key = caller?.key_id ?? null
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Array.from(counts, ([key_id, requests]) => ({ token: tokens.get(key_id ?? '') ?? null, key_id, requests }))
}

export function failUnknownSandbox(context: ControlContext, name: string): never {
  const names = context.sandboxes.list().map(sandbox => sandbox.name)
  const { ttl } = context.sandboxes.settings
  const dropped = ttl === undefined ? '' : ` Sandboxes unused for ${ttl} are dropped (--sandbox-ttl).`
  const exists = `Known: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}.${dropped}`
  fail(errors.not_found, { what: `sandbox "${name.slice(0, 80)}"`, nearest: nearest(name, names), exists })
}
