import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { changeable, defaultOf, valuesOf } from '../../src/engine/assumptions.ts'
import { ngrokAssumptions } from '../../src/ngrok/questions.ts'
import { operations } from '../../src/ngrok/resources/index.ts'
import { folderWith } from '../support/afterwards.ts'
import { expectError, type TestResponse } from '../support/http.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'

interface Step {
  send: string
  body?: object
  by?: string
  version?: string | null
  rejected?: string | null
  msg?: string
  details?: object
  is?: object
  shows?: object
  exactly?: Record<string, unknown>
  ids?: string[]
  lacks?: string
  as?: string
}

const SUCCESS: Record<string, number> = { POST: 201, DELETE: 204 }
const text = readFileSync(new URL('assumptions.yaml', import.meta.url), 'utf8')
const cases: Record<string, Record<string, Step[]>> = parse(text, { merge: true })

function expectResponse(response: TestResponse, method: string, { rejected, msg = '', details = {}, ...step }: Step) {
  if (rejected) {
    const [status, code] = rejected.split(' ').map(part => JSON.parse(part))
    const error = expectError(response, status, code)
    expect(error.msg).toMatch(new RegExp(msg))
    expect(error.details).toMatchObject(details)
    return
  }
  expect(response.status).toBe(SUCCESS[method] ?? 200)
  if (step.is) expect(response.body).toEqual(step.is)
  if (step.shows) expect(response.body).toMatchObject(step.shows)
  for (const [name, value] of Object.entries(step.exactly ?? {})) expect(response.body[name]).toEqual(value)
  if (step.ids) expect(response.body.keys.map(({ id }: { id: string }) => id)).toEqual(step.ids)
  if (step.lacks) expect(response.body).not.toHaveProperty(step.lacks)
}

async function run(steps: Step[], send: Awaited<ReturnType<typeof simulate>>['call']) {
  const named: Record<string, string> = {
    module: '/edges/tcp/edgtcp_ssh/ip_restriction',
    headers: '/edges/https/edghts_web/routes/edghtsrt_static/request_headers',
  }
  for (const each of steps) {
    const step: Step = JSON.parse(JSON.stringify(each).replace(/<(\w+)>/g, (_, name) => named[name]!))
    const [method, path] = step.send.split(' ') as [string, string]
    const response = await send(method, path, step.body, { token: step.by, version: step.version })
    expectResponse(response, method, step)
    if (step.as && !step.rejected) named[step.as] = response.body.id
  }
}

/** Tested in test/ngrok/edges and test/engine/scenarios. */
const TESTED_ELSEWHERE = ['add_existing_header', 'rate_limit']
const switchable = changeable(ngrokAssumptions).filter(name => !TESTED_ELSEWHERE.includes(name))

it('Every value of every assumption has a test', () => {
  const tested = Object.entries(cases).map(([name, byValue]) => [name, Object.keys(byValue).sort()])
  const known = switchable.map(name => [name, valuesOf(ngrokAssumptions, name).toSorted()])
  expect(Object.fromEntries(tested)).toEqual(Object.fromEntries(known))
})

describe.each(switchable)('%s', name => {
  it.each(valuesOf(ngrokAssumptions, name))('%s has its effect and is recorded in the journal', async value => {
    const assume = value === defaultOf(ngrokAssumptions, name) ? {} : { [name]: value }
    const { call, close } = await simulate({ assume })
    await run(cases[name]![value]!, call)
    const { body: journal } = await call('GET', '/_sim/requests')
    const noted = journal.requests.flatMap((entry: { assumptions: unknown[] }) => entry.assumptions)
    expect(noted).toContainEqual({ name, value })
    const { body: listed } = await call('GET', '/_sim/assumptions')
    expect(listed.assumptions).toContainEqual(expect.objectContaining({ name, value }))
    await close()
  })
})

it('neighbours=absent serves no neighbour', async () => {
  const { call } = await simulate({ assume: { neighbours: 'absent' } })
  for (const { method, path } of operations.filter(({ undocumented }) => undocumented))
    expect(expectError(await call(method, path.replace(/\{\w+\}/g, 'x')), 404, 404).msg).toMatch(/^Path .* not found/)
})

describe('unknown_reference=accept', () => {
  const fixture = {
    users: [{ id: 'usr_a', admin: true }],
    ip_restrictions: [{ id: 'ipx_a', type: 'agent', ip_policy_ids: ['ipp_missing'] }],
  }
  const assume = { unknown_reference: 'accept' }

  it('does not allow a backend of the wrong kind inside another', async () => {
    const { call } = await simulate({ assume })
    const { body } = await call('POST', '/backends/failover', {})
    expectError(await call('POST', '/backends/failover', { backends: [body.id] }), 400, 6525)
  })

  it('applies to fixtures, exports and scenario states', async () => {
    await expect(simulate({ fixture })).rejects.toThrow(/ipp_missing not found/)
    const first = await simulate({ fixture, assume })
    const { body: state } = await first.call('GET', '/_sim/state')
    const second = await simulate({
      fixture: state,
      assume,
      scenario: { state: { ip_restrictions: [{ id: 'ipx_a', enforced: true }] } },
    })
    expect((await second.call('GET', '/_sim/state')).body.ip_restrictions[0]).toMatchObject({ enforced: true })
    expect((await second.call('PUT', '/_sim/scenario', { state: { users: [{ id: 'usr_b' }] } })).status).toBe(200)
  })

  it('is an option of validate', async () => {
    const scenario = { state: { ip_restrictions: fixture.ip_restrictions } }
    const folder = folderWith({ 'fixture.json': fixture, 'scenario.json': scenario })
    for (const file of ['fixture.json', 'scenario.json']) {
      expect((await edgesimHere(['validate', file], { cwd: folder })).code).toBe(2)
      expect(
        (await edgesimHere(['validate', '--assume', 'unknown_reference=accept', file], { cwd: folder })).code,
      ).toBe(0)
    }
  })
})
