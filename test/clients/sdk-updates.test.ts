import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { SimulatorOptions } from '../../src/simulator/options/options.ts'
import { simulate } from '../support/in-process.ts'

type Client = 'Python' | 'Ruby' | 'Go' | 'all'
type Changed = Record<string, unknown>
type Update = [client: Client, given: string, body: string, changed: Changed, plainly?: Changed]

interface Tables {
  fixture: object
  updates: Record<string, Update[]>
}

const text = readFileSync(new URL('sdk-updates.yaml', import.meta.url), 'utf8')
const { fixture, updates: byKind }: Tables = parse(text, { merge: true })

/** The same update from several clients. */
function ofClients([client, given, body, ...rest]: Update): Update[] {
  if (client === 'Go') return [[client, given, body, ...rest]]
  const dense = body.replace(/(?<=[:,]) /g, '')
  const others: Client[] = client === 'all' ? ['Ruby', 'Go'] : ['Ruby']
  return [['Python', given, body, ...rest], ...others.map((each): Update => [each, given, dense, ...rest])]
}

const updates = Object.entries(byKind).flatMap(([kind, sent]) =>
  sent.flatMap(ofClients).map(([client, ...rest]): [Client, kind: string, ...typeof rest] => [client, kind, ...rest]),
)

const PATHS: Record<string, string> = {
  key: '/api_keys/ak_it',
  policy: '/ip_policies/ipp_it',
  'other policy': '/ip_policies/ipp_other',
  rule: '/ip_policy_rules/ipr_it',
  restriction: '/ip_restrictions/ipx_it',
  backend: '/backends/static/bkdsc_it',
  'other backend': '/backends/static/bkdsc_other',
  'tcp edge': '/edges/tcp/edgtcp_it',
  'https edge': '/edges/https/edghts_it',
  route: '/edges/https/edghts_it/routes/edghtsrt_it',
}

const idOf = (name: string) => PATHS[name]!.split('/').at(-1)

describe.each<[how: string, options: SimulatorOptions]>([
  ['by default', {}],
  ['with --assume ngrok', { assume: 'ngrok' }],
])('An update from an SDK (%s)', async (_, options) => {
  const { as, url, token } = await simulate({ vendor: 'ngrok', fixture, ...options })
  let sandboxes = 0

  /** The record after the update, without removed fields, and with names as references. */
  const resolve = (record: object) =>
    JSON.parse(JSON.stringify(record), (_key, value) => {
      const name = typeof value === 'string' && /^<(.+)>$/.exec(value)?.[1]
      if (!name) return value
      return name === 'gone' ? undefined : { id: idOf(name), uri: url + PATHS[name] }
    })

  it.each(updates)('changes only its fields: %s, %s, %s: %s', async (_client, kind, _given, body, changed, plainly) => {
    const send = as(`${token}~update-${sandboxes++}`)
    const path = PATHS[kind]!
    const before = (await send('GET', path)).body
    const raw = body.replace(/<(.+?)>/, (_all, other) => idOf(other)!)
    const response = await send('PATCH', path, undefined, { raw, headers: { 'content-type': 'application/json' } })
    const expected = { ...before, ...changed, ...(!options.assume && plainly) }
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: resolve(expected) })
    expect((await send('GET', path)).body).toEqual(response.body)
  })
})
