import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { folderWith } from '../support/afterwards.ts'
import { startServer } from './client.ts'

/** A scenario with one mistake, and its message. § marks the reported place, ¤ the first member of its object. */
type Mistake = [what: string, yaml: string, says: RegExp]

const top = (text: string) => `name: mistaken\n${text}\n`
const rule = (text: string) => top(`rules:\n  - latency: 1ms\n  - ${text}`)
const when = (text: string) => rule(`§when: { ${text} }\n    latency: 1ms`)
const inWhen = (text: string) => when(text).replace('§when', 'when')
const fault = (text: string) => rule(`fault: { ${text} }`)
const keys = (text: string) => top(`state:\n  api_keys: [${text}]`)

const mistakes: Mistake[] = [
  ['an unknown operation', inWhen('§operation: creat_api_key'), /Did you mean create_api_key\?/],
  ['one of two operations', inWhen('operation: [get_api_key, §list_api_kys]'), /operation\[1\].*mean list_api_keys\?/],
  ['no operation at all', inWhen('§operation: []'), /must be one or more, not a list of 0/],
  ['an unknown method', inWhen('§method: PSOT'), /Did you mean POST\?/],
  ['a method in lower case', inWhen('§method: post'), /Did you mean POST\?/],
  ['an unknown field', top('§rulez: []'), /no field "rulez"\. Did you mean rules\?/],
  ['an unknown field of a rule', rule('§latncy: 1s'), /no field "latncy"\. Did you mean latency\?/],
  ['an unknown field of when', inWhen('§opration: x'), /no field "opration"\. Did you mean operation\?/],
  ['an unknown fault', fault('§type: lost-replay'), /Did you mean lost-reply\?/],
  [
    'a fault without a type',
    rule('§fault: { status: 500 }'),
    /fault\.type: must be one of error, reset, .*, not nothing/,
  ],
  ['an unknown setting', fault('type: error, status: 500, §retry_afer: 2s'), /Did you mean retry_after\?$/],
  ['a setting of another fault', fault('type: reset, §status: 500'), /no field "status"\. Known: type$/],
  [
    'an error with no status',
    rule('§fault: { type: error }'),
    /fault\.status: must be .* from 400 to 599, not nothing/,
  ],
  [
    'an error with a status that is not an error',
    fault('type: error, §status: 200'),
    /from 400 to 599, not the number 200/,
  ],
  ['a status above all', fault('type: error, §status: 600'), /from 400 to 599, not the number 600/],
  ['too few requests', rule('rate_limit: { §requests: 0, per: 1s }'), /a whole number, 1 or more, not the number 0/],
  [
    'garbage nothing like what there is',
    fault('type: garbage, §what: zzzzzz'),
    /must be one of .*\bjson\b.*, not the string "zzzzzz"/,
  ],
  ['an unknown kind of garbage', fault('type: garbage, §what: jsn'), /Did you mean json\?/],
  ['an unknown assumption', top('assume: { §missing_verson: accept }'), /Did you mean missing_version\?/],
  ['an unknown value', top('assume: { §missing_version: acept }'), /one of reject, accept, .*Did you mean accept\?/],
  ['a fixed assumption', top('assume: { §page_size: all }'), /it is always "limit 1 to 100/],
  ['an unknown owner', inWhen('§owner: usr_admn'), /no user or bot usr_admn\. Did you mean usr_admin\?/],
  ['a path that no route has', inWhen('§path: /api_key'), /Did you mean \/api_keys\?/],
  ['a path with a slash behind it', inWhen('§path: /api_keys/'), /Did you mean \/api_keys\?/],
  ['a path with a query', inWhen('§path: "/api_keys?limit=1"'), /without a query.*Did you mean \/api_keys\?/],
  ['a query behind an id', inWhen('§path: "/api_keys/ak_ci?limit=1"'), /without a query/],
  ['a star for too little', inWhen('§path: /ip_*/*/*'), /\/\*\*/],
  ['a source that is not an address', inWhen('§source_ip: 10.0.0.300'), /an IP address or a CIDR block/],
  ['a source with a zone', inWhen('§source_ip: "fe80::1%eth0"'), /an IP address or a CIDR block/],
  ['a bad duration', rule('§latency: 1 sec'), /a duration like 250ms, 2s, 5m, 24h or 7d, not the string "1 sec"/],
  [
    'a latency without a unit',
    rule('§latency: 200'),
    /like 250ms.* or \{ min, max \} or \{ p50, p95, p99 \}, not the number/,
  ],
  ['a window without a unit', rule('rate_limit: { requests: 5, §per: 60 }'), /a duration like 250ms/],
  ['a latency of nothing', rule('§latency: 0s'), /a duration above zero/],
  ['a min above its max', rule('§latency: { min: 2s, max: 1s }'), /min must not be above max/],
  ['percentiles that fall', rule('§latency: { p50: 2s, p95: 1s, p99: 3s }'), /must not fall/],
  ['a missing percentile', rule('§latency: { p50: 1s, p99: 3s }'), /p95: must be a duration/],
  ['a probability of 0', rule('latency: 1ms\n    §probability: 0'), /above 0 and up to 1, not the number 0/],
  ['a probability of 2', rule('latency: 1ms\n    §probability: 2'), /above 0 and up to 1, not the number 2/],
  ['no times at all', rule('latency: 1ms\n    §times: 0'), /1 or more/],
  ['an unknown window', rule('rate_limit: { requests: 1, per: 1s, §window: sliding }'), /one of rolling, fixed/],
  [
    'a misspelt window',
    rule('rate_limit: { requests: 1, per: 1s, §window: fixd }'),
    /rolling or fixed.*did you mean fixed/i,
  ],
  ['a window of no length', rule('rate_limit: { requests: 1, §per: 0s }'), /above zero/],
  ['a fault and a limit', rule('¤fault: { type: reset }\n    rate_limit: { requests: 1, per: 1s }'), /write two rules/],
  ['an empty range of calls', inWhen('§calls: 3-2'), /the lower number first/],
  ['a call number 0', inWhen('§calls: 0'), /or a range like 2-3 or 6-/],
  ['a call that never comes', inWhen('§calls: "9999999999999999999"'), /or a range like 2-3 or 6-/],
  ['calls that are not a range', inWhen('§calls: often'), /or a range like 2-3 or 6-/],
  ['times reversed', inWhen('§between: [2026-01-01T00:20:00Z, 2026-01-01T00:10:00Z]'), /the earlier one first/],
  ['only one time', inWhen('§between: [2026-01-01T00:20:00Z]'), /two times/],
  ['an invalid time', inWhen('between: [§noon, 2026-01-01T00:10:00Z]'), /RFC 3339/],
  ['an operation of another method', when('operation: create_api_key, method: GET'), /no call can match/],
  ['an operation of another path', when('operation: create_api_key, path: /ip_restrictions'), /no call can match/],
  [
    'stale reads of writes',
    rule('when: { method: POST }\n    §fault: { type: stale-reads, delay: 1s }'),
    /does nothing to the calls/,
  ],
  ['stale reads of the present', fault('type: stale-reads, §delay: 0s'), /above zero/],
  ['a rule without effect', rule('¤when: { method: GET }'), /does nothing: give it a latency, fault or rate_limit/],
  [
    'a rule that can never fire',
    top('rules:\n  - fault: { type: reset }\n  - ¤fault: { type: hang }'),
    /rules\[1\]: can never fire: the fault of rules\[0\] matches every call/,
  ],
  ['an unknown fixture', top('§fixture: emty'), /no fixture "emty"\. Did you mean empty\?/],
  ['a fixture nothing like those there are', top('§fixture: zzzzzzzz'), /no fixture "zzzzzzzz"\. Known: .*\bempty\b/],
  ['an unknown table', top('state: { §api_kyes: [] }'), /no table "api_kyes"\. Did you mean api_keys\?/],
  ['a table nothing like those there are', top('state: { §zzzzzzzz: [] }'), /no table "zzzzzzzz"\. Known: .*api_keys/],
  ['a table that is not a list', top('state: { §api_keys: {} }'), /must be a list/],
  [
    'an unknown field of a record',
    keys('{ id: ak_x, §descripton: x }'),
    /state\.api_keys\[0\]\.descripton: .*Did you mean description\?/,
  ],
  ['an invalid record', keys('{ id: ak_x }, §ak_y'), /state\.api_keys\[1\]: must be an object, not the string "ak_y"/],
  ['a record without an id', keys('{ ¤description: x }'), /state\.api_keys\[0\]\.id: must be a string, not nothing/],
  ['an id of another kind', keys('{ §id: ipx_x }'), /starts with ak_/],
  [
    'a record that refers to nothing',
    keys('{ id: ak_x, §owner_id: usr_admn }'),
    /users, bots or service_users\. Did you mean usr_admin\?/,
  ],
  ['a token that another key has', keys('{ id: ak_x, §token: sim_admin }'), /token of ak_x is that of ak_admin/],
  [
    'a record given twice',
    keys('{ id: ak_ci }, { §id: ak_ci }'),
    /ak_ci is given twice; first in state\.api_keys\[0\]/,
  ],
  ['a clock that is not a time', top('clock: { §now: noon }'), /RFC 3339/],
  ['a seed that is not a whole number', top('§seed: 1.5'), /a string or a whole number/],
  ['nothing but a name', '¤name: mistaken\ndescription: It only has a name.\n', /does nothing: give it rules, state/],
  ['an empty list of rules', '¤name: mistaken\nrules: []\n', /does nothing/],
]

/** The text without its mark, and the line and column of what is marked. */
function unmark(text: string, json: boolean) {
  const mark = text.search(/[§¤]/)
  const inBraces = text[mark] === '¤' && (json || /\{ *$/.test(text.slice(0, mark)))
  // In JSON there is a quote before every name.
  const offset = inBraces ? text.lastIndexOf('{', mark) : mark - (json ? 1 : 0)
  const before = text.slice(0, offset).split('\n')
  return { text: text.replace(/[§¤]/, ''), at: `${before.length}:${before.at(-1)!.length + 1}` }
}

const files = mistakes.flatMap(([what, marked, says], i) => [
  { file: `m${i}-yaml.yaml`, what: `${what}, in YAML`, says, ...unmark(marked, false) },
  { file: `m${i}-json.json`, what: `${what}, in JSON`, says, ...unmark(JSON.stringify(parse(marked), null, 2), true) },
])
const folder = folderWith(Object.fromEntries(files.map(({ file, text }) => [file, text])))
const server = await startServer({ scenariosDir: folder })
const listed: { name: string; error?: string }[] = (await server.control('GET', '/scenarios')).body.scenarios

describe('A scenario is refused with its file, line and column, for', () => {
  it.each(files.map(each => [each.what, each] as const))('%s', (_, { file, at, says }) => {
    const { error } = listed.find(({ name }) => file.startsWith(`${name}.`))!
    const said = error?.split('\n').find(line => says.test(line))
    expect(said, error).toContain(`${join(folder, file)}:${at}: `)
  })
})

it('A wrong scenario is refused at the start with the same message', async () => {
  const [{ file, at, says }] = files as [(typeof files)[0]]
  const starting = runSimulator({ scenario: join(folder, file) })
  await expect(starting).rejects.toThrow(says)
  await expect(runSimulator({ scenario: join(folder, file) })).rejects.toThrow(`${file}:${at}: `)
})

it('A wrong scenario is refused over HTTP with its places, and inline with its paths', async () => {
  const client = server.default
  const text = await client.control('PUT', '/scenario', {
    yaml: `${rule('latency: soon')}  - { fault: { type: hangs } }\n`,
  })
  expect(text).toMatchObject({ status: 400, body: { error_code: 'ERR_EDGESIM_400', details: {} } })
  expect(text.body.problems).toMatchObject([
    { line: 4, column: 5, message: expect.stringMatching(/^rules\[1\]\.latency: must be a duration/) },
    { line: 5, column: 16, message: expect.stringMatching(/^rules\[2\]\.fault\.type: .*Did you mean hang\?$/) },
  ])
  const inline = await client.control('PUT', '/scenario', { rules: [{ latency: 'soon' }] })
  expect(inline.body.msg).toMatch(/rules\[0\]\.latency: must be a duration/)
  const made = await server.control('POST', '/sandboxes', { name: 'never', scenario: { rules: [{ latency: 'soon' }] } })
  expect(made.status).toBe(400)
  expect((await server.control('GET', '/sandboxes/never')).status).toBe(404)
})

describe('A text that cannot be read is refused', () => {
  it.each([
    ['a syntax error in YAML', 'bad.yaml', 'rules:\n  - when: { method: [GET }\n', /bad\.yaml:2:\d+: Flow sequence/],
    ['a tab in YAML', 'tab.yaml', 'rules:\n\t- latency: 1ms\n', /tab\.yaml:2:1: Tabs are not allowed/],
    [
      'a member that is there twice',
      'twice.yaml',
      'rules:\n  - latency: 1s\n    latency: 2s\n',
      /twice\.yaml:3:5: "latency" is there twice/,
    ],
    ['two documents', 'two.yaml', 'name: a\n---\nname: b\n', /two\.yaml:2:1: a second document/],
    ['a list', 'list.yaml', '- latency: 1ms\n', /list\.yaml:1:1: the scenario: must be an object, not a list of 1/],
    ['an empty file', 'empty.yaml', '', /empty\.yaml:1:1: is empty/],
    ['a syntax error in JSON', 'bad.json', '{\n  "rules": [,]\n}', /bad\.json:2:13: not valid JSON/],
    ['JSON that ends too early', 'short.json', '{ "rules": [', /short\.json:1:13: not valid JSON/],
  ])('for %s', async (_, file, text, says) => {
    const own = folderWith({ [file]: text })
    await expect(runSimulator({ scenario: join(own, file) })).rejects.toThrow(says)
  })
})

// Longer ones are in test/files/yaml.hostile.test.ts.
describe('A harmful text is refused at once:', () => {
  const laughs = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, i) => {
      const below = 'abcdefgh'[i]
      return `${name}: &${name} [${Array(9).fill(`*${below}`).join()}]`
    }),
  ].join('\n')

  it.each([
    ['a billion laughs', laughs, /[Aa]lias/],
    ['an anchor within itself', 'name: &a [*a]', /deeper than/],
    ['10,000 brackets', '['.repeat(10_000), /deeper than/],
    ['10,000 dashes', `${'- '.repeat(10_000)}x`, /deeper than/],
    ['10,000 question marks', `${'? '.repeat(10_000)}x`, /deeper than/],
    ['600 indents', Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), /deeper than/],
    ['2 MiB', `description: ${'x'.repeat(2 * 1024 * 1024)}`, /256 KiB/],
    ['many anchors', '&a '.repeat(8_000), /at most one anchor/],
    ['many aliases', `a: &a x\nb: [${'*a,'.repeat(5_000)}]`, /more than 100 aliases/],
    ['the same key many times', 'x: y\n'.repeat(5_000), /"x" is there twice/],
    ['many keys', Array.from({ length: 2_000 }, (_, i) => `k${i}: 1`).join('\n'), /no field "k0"/],
    ['many commas', `[${','.repeat(20_000)}]`, /Unexpected ,/],
  ])('%s', async (_, yaml, says) => {
    const { status, body } = await server.default.control('PUT', '/scenario', { yaml })
    expect({ status, msg: body.msg.slice(0, 2000) }).toMatchObject({ status: 400, msg: expect.stringMatching(says) })
    expect(body.problems.length).toBeLessThanOrEqual(20)
  })
})
