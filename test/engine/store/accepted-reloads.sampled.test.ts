import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFixture } from '../../../src/engine/fixtures/index.ts'
import { parseTime } from '../../../src/engine/language/time.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { simulate } from '../../support/in-process.ts'
import { samples } from '../../support/long.ts'
import { newDb } from './support.ts'

const TIMES = [
  ...'2026-01-01T00:00:00Z 2026-01-01T00:00:00.5+02:00 0001-01-01T00:00:00Z'.split(' '),
  ...'0001-01-01T00:00:00+01:00 0000-01-01T00:00:00-01:00 9999-12-31T23:59:59Z'.split(' '),
  ...'9999-12-31T23:59:59-01:00 9999-12-31T23:59:59+01:00 2026-01-01T24:00:00Z'.split(' '),
  ...'2026-02-29T00:00:00Z'.split(' '),
]
const time = fc.constantFrom(...TIMES)
const VALID = TIMES.filter(text => parseTime(text) !== undefined)
const mostlyTime = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...VALID) }, { weight: 1, arbitrary: time })
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const list = <T extends { id: string }>(arbitrary: fc.Arbitrary<T>, maxLength: number) =>
  fc.uniqueArray(arbitrary, { selector: ({ id }) => id, maxLength })
/** Mostly valid, because one mistake rejects the whole file. */
const mostly = <T>(good: T, ...bad: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) })
const oneOf = (...values: string[]) => fc.constantFrom(...(values.length > 0 ? values : ['usr_nobody']))

const user = fc.record({ id: oneOf('usr_a', 'usr_b', 'usr_admin'), admin: some(fc.boolean()), name: some(fc.string()) })
/** Any character except surrogates. The built-in arbitrary takes a second to build. */
const codes = fc.nat(0x10ffff).filter(code => code < 0xd800 || code > 0xdfff)
const anyText = fc.string({ unit: codes.map(code => String.fromCodePoint(code)) })
const apiKey = (owners: string[]) =>
  fc.record({
    id: oneOf('ak_a', 'ak_b', 'ak_admin'),
    owner_id: some(
      fc.oneof({ weight: 20, arbitrary: some(oneOf(...owners)) }, { weight: 1, arbitrary: oneOf('usr_no') }),
    ),
    token: some(oneOf('sim_admin', 'sim_a', 'sim_b', 'sim_c')),
    created_at: some(mostlyTime),
    description: some(anyText),
  })
const restriction = fc.record({
  id: oneOf('ipx_a', 'ipx_b'),
  type: mostly('agent', 'other'),
  ip_policy_ids: some(fc.array(mostly('ipp_a', 'ipp_missing'), { maxLength: 2 })),
  created_at: some(mostlyTime),
})
const policy = fc.record({ id: fc.constant('ipp_a'), rules: some(fc.constant([{ action: 'allow', cidr: '::/0' }])) })

/** Mostly consistent: keys belong to the fixture's users or have no owner. */
const fixture = list(user, 2).chain(users =>
  fc.record({
    users: fc.constant(users),
    api_keys: fc.uniqueArray(apiKey(users.map(({ id }) => id)), {
      comparator: (one, other) => one.id === other.id || (one.token !== undefined && one.token === other.token),
      maxLength: 3,
    }),
    ip_policies: fc.oneof({ weight: 5, arbitrary: fc.tuple(policy) }, { weight: 1, arbitrary: fc.constant([]) }),
    ip_restrictions: list(restriction, 2),
  }),
)
const scenario = fc.record(
  { clock: fc.record({ now: mostlyTime, frozen: fc.boolean() }), state: fixture, seed: fc.constant(1) },
  { requiredKeys: ['seed'] },
)
const clock = fc.record(
  { now: mostlyTime, frozen: fc.boolean(), advance: oneOf('1s', '87600000h') },
  { requiredKeys: [] },
)

const anyKey = apiKey(['usr_a', 'usr_admin'])

type Input = [method: string, path: string, body: unknown]
const input: fc.Arbitrary<Input> = fc.oneof(
  fixture.map((body): Input => ['PUT', '/_sim/state', body]),
  scenario.map((body): Input => ['PUT', '/_sim/scenario', body]),
  fc.record({ fixture }).map((body): Input => ['PUT', '/_sim/sandboxes/default', body]),
  clock.map((body): Input => ['PUT', '/_sim/clock', body]),
  user.map((body): Input => ['POST', '/_sim/db/users', body]),
  anyKey.map((body): Input => ['PUT', `/_sim/db/api_keys/${body.id}`, body]),
  restriction.map((body): Input => ['POST', '/_sim/db/ip_restrictions', body]),
  anyKey.map(({ owner_id, description }): Input => ['POST', '/api_keys', { owner_id, description }]),
)

describe('An accepted state', () => {
  it('can be loaded from the database, and is a valid fixture when exported', async () => {
    const launch = fc.record(
      {
        fixture,
        scenario,
        clock: mostlyTime,
        seed: fc.integer(),
        assume: fc.constant({ unknown_reference: 'accept' }),
      },
      { requiredKeys: ['fixture'] },
    )
    await fc.assert(
      fc.asyncProperty(launch, fc.array(input, { minLength: 1, maxLength: 6 }), async (options, inputs) => {
        const db = newDb()
        const first = await simulate({ ...options, db } as object).catch(() => undefined)
        // Rejected fixtures do not count as a run.
        fc.pre(first !== undefined)
        let accepted = false
        for (const [method, path, body] of inputs) {
          const { status } = await first.call(method, path, body)
          if (status < 300) accepted = true
          expect(status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(500)
        }
        const { body: state } = await first.call('GET', '/_sim/state')
        expect(
          checkFixture(state, { catalog: ngrok.catalog, now: 0, dangling: 'assume' in options }),
          JSON.stringify(state),
        ).not.toBeInstanceOf(Array)
        await first.close()
        const second = await simulate({ db })
        expect((await second.call('GET', '/_sim/state')).body).toEqual(state)
        expect(second.notices).toEqual([])
        await second.close()
        // Runs that change nothing do not count either.
        fc.pre(accepted)
      }),
      { numRuns: samples(18, 40) },
    )
  })
})

describe('A fixture with a single key without an owner', () => {
  it.each(['sim_admin', 'mine'])('gets an admin but no other key: its token %s works', async token => {
    const db = newDb()
    const { tokens, call, close } = await simulate({ db, fixture: { api_keys: [{ id: 'ak_x', token }] } })
    expect(tokens).toEqual([{ token, key_id: 'ak_x', owner_id: 'usr_admin', admin: true }])
    expect((await call('GET', '/_sim/state')).body.api_keys).toHaveLength(1)
    await close()
    expect((await simulate({ db })).notices).toEqual([])
  })

  it('is rejected as a state without users', async () => {
    const { call } = await simulate()
    const { body } = await call('PUT', '/_sim/state', { api_keys: [{ id: 'ak_x', token: 'sim_admin' }] })
    const msg = expect.stringMatching(/no user or bot exists that could own it/)
    expect(body).toMatchObject({ status_code: 400, msg })
  })
})

it('An added admin gets an unused id', async () => {
  const ids = ['usr_admin', 'usr_sim_admin', 'usr_sim_admin_2']
  const keys = ['ak_admin', 'ak_sim_admin']
  const fixture = { users: ids.map(id => ({ id })), api_keys: keys.map(id => ({ id, owner_id: 'usr_admin' })) }
  const { tokens, call } = await simulate({ fixture })
  expect(tokens).toEqual([{ token: 'sim_admin', key_id: 'ak_sim_admin_2', owner_id: 'usr_sim_admin_3', admin: true }])
  expect((await call('GET', '/api_keys')).body.keys).toHaveLength(3)
})

it('With a seed, keys created after restoring an old snapshot have new tokens', async () => {
  const { call } = await simulate({ seed: 1 })
  const first = await call('POST', '/api_keys', {})
  await call('PUT', '/_sim/snapshots/kept')
  await call('POST', '/_sim/reset')
  await call('POST', '/_sim/snapshots/kept/restore')
  const second = await call('POST', '/api_keys', {})
  expect(second.body.token).not.toBe(first.body.token)
  const { body: state } = await call('GET', '/_sim/state')
  expect((await call('PUT', '/_sim/state', state)).status).toBe(204)
})
