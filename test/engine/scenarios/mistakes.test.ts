import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runSimulator } from '../../../src/simulator/simulator.ts'
import { folderWith } from '../../support/afterwards.ts'
import { tableIn } from '../../support/tables.ts'
import { startServer } from './client.ts'

/** A scenario with one mistake, and its message. § marks the reported location, ¤ the first field of its object. */
type Mistake = [what: string, yaml: string, says: RegExp]

const top = (text: string) => `name: mistaken\n${text}\n`
const rule = (text: string) => top(`rules:\n  - latency: 1ms\n  - ${text}`)
const when = (text: string) => rule(`§when: { ${text} }\n    latency: 1ms`)
const inWhen = (text: string) => when(text).replace('§when', 'when')
const fault = (text: string) => rule(`fault: { ${text} }`)
const keys = (text: string) => top(`state:\n  api_keys: [${text}]`)

const around: Record<string, (text: string) => string> = { top, rule, when, inWhen, fault, keys, whole: text => text }
const table = tableIn<Record<string, [what: string, text: string, says: string][]>>(import.meta.url, 'mistakes.yaml')
const unreadable = tableIn<[what: string, file: string, text: string, says: string][]>(
  import.meta.url,
  'unreadable.yaml',
)
const mistakes = Object.entries(table).flatMap(([kind, rows]) =>
  rows.map(([what, text, says]): Mistake => [what, around[kind]!(text), new RegExp(says)]),
)

/** The text without its mark, and the line and column of the mark. */
function unmark(text: string, json: boolean) {
  const mark = text.search(/[§¤]/)
  const inBraces = text[mark] === '¤' && (json || /\{ *$/.test(text.slice(0, mark)))
  // JSON has a quote before every name.
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

describe('A scenario is rejected with its file, line and column, for', () => {
  it.each(files.map(each => [each.what, each] as const))('%s', (_, { file, at, says }) => {
    const { error } = listed.find(({ name }) => file.startsWith(`${name}.`))!
    const said = error?.split('\n').find(line => says.test(line))
    expect(said, error).toContain(`${join(folder, file)}:${at}: `)
  })
})

it('A scenario with several mistakes is rejected with all of them, including unknown records', async () => {
  const yaml = top(`fixture: default
state: { bots: [{ id: bot_new }], users: [{ id: usr_x, naem: x }], api_keys: [{ id: ak_x, owner_id: bot_nwe }] }
rules:
  - { when: { owner: bot_payy }, latency: soon }
  - { when: { owner: bot_new, edge: 5 }, latency: 1ms }
  - { when: { edge: [edgtcp_databse, edgtcp_database] }, latncy: 1s, fault: { type: reset } }`)
  const { body } = await server.default.control('PUT', '/scenario', { yaml })
  const found = body.problems.map(({ line, message }: { line: number; message: string }) => `${line} ${message}`)
  expect(found).toEqual([
    expect.stringMatching(/^3 .*unknown field "naem"/),
    expect.stringMatching(/^5 .*unknown user or bot bot_payy/),
    expect.stringMatching(/^5 .*latency: must be a duration/),
    expect.stringMatching(/^6 .*when\.edge/),
    expect.stringMatching(/^7 .*unknown edge edgtcp_databse\. Did you mean edgtcp_database\?/),
    expect.stringMatching(/^7 .*unknown field "latncy"/),
  ])
  const fixed = yaml.replace('naem', 'name').replace('bot_nwe', 'bot_nww')
  const rest = (await server.default.control('PUT', '/scenario', { yaml: fixed })).body.problems
  expect(rest[0]).toMatchObject({ line: 3, message: expect.stringMatching(/bot_nww/) })
  const unknown = await server.default.control('PUT', '/scenario', { yaml: yaml.replace('default', 'defualt') })
  expect(unknown.body.problems[0].message).toMatch(/unknown fixture "defualt"\. Did you mean default\?/)
  expect(unknown.body.problems).toHaveLength(4)
})

it('A wrong scenario is rejected at startup with the same message', async () => {
  const [{ file, at, says }] = files as [(typeof files)[0]]
  const { message } = await runSimulator({ scenario: join(folder, file) }).catch(thrown => thrown)
  expect(message).toMatch(says)
  expect(message).toContain(`${file}:${at}: `)
})

it('A wrong scenario is rejected over HTTP with its locations, and inline with its paths', async () => {
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

describe('An unreadable scenario is rejected', () => {
  it.each(unreadable)('for %s', async (_, file, text, says) => {
    const own = folderWith({ [file]: text })
    await expect(runSimulator({ scenario: join(own, file) })).rejects.toThrow(new RegExp(says))
  })
})
