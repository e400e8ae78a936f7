import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../../src/engine/files/package.ts'
import { MAX_EVIDENCE_MB } from '../../../src/simulator/options/evidence-file.ts'
import { folderWith } from '../../support/afterwards.ts'
import { evidenceFile, evidenceWith } from '../../support/evidence.ts'
import { edgesimHere, simulate } from '../../support/in-process.ts'

type Refusals = [what: string, given: never, says: string][]
const table = readFileSync(new URL('evidence-file.yaml', import.meta.url), 'utf8')
const { members, verdicts }: Record<'members' | 'verdicts', Refusals> = parse(table)

const VERDICTS = {
  page_order: { value: 'oldest_first' },
  unknown_query: { value: 'ignore' },
  edges: { undecided: 'There are none.' },
  list_filter: { none_known: { status: 422, body: { msg: 'string', details: {}, list: ['number'] } } },
  page_size: { value: 'limit 1 to 100 (100), before_id' },
}
async function assumed(args: string[], files = {}, env = {}) {
  const cwd = folderWith({ 'evidence.json': evidenceWith(VERDICTS), ...files })
  const { code, out, err } = await edgesimHere(['--print-config', ...args], { cwd, env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [, json, source] = /^assume = (.*) {2}\((.*)\)$/m.exec(out)!
  const { probed, ...values } = JSON.parse(json!)
  return { probed, values, source }
}

const FOUND = { page_order: 'oldest_first', unknown_query: 'ignore' }
const { verdicts: _, ...PROBED } = evidenceWith({})

describe('An evidence file', () => {
  it.each([
    ['a flag', ['--assume', 'evidence.json'], {}, {}, '--assume'],
    ['a flag, as a path', ['--assume', './evidence.json'], {}, {}, '--assume'],
    ['a variable', [], {}, { EDGESIM_ASSUME: 'evidence.json' }, 'EDGESIM_ASSUME'],
    ['edgesim.config.json', [], { 'edgesim.config.json': { assume: 'evidence.json' } }, {}, 'edgesim.config.json'],
    ['edgesim.config.yaml', [], { 'edgesim.config.yaml': 'assume: [evidence.json]' }, {}, 'edgesim.config.yaml'],
  ])('can be set by %s', async (_, args, files, env, source) => {
    expect(await assumed(args, files, env)).toEqual({ probed: PROBED, values: FOUND, source })
  })

  it.each([
    [['ngrok', 'evidence.json'], { unknown_query: 'ignore', restrictions_per_type: 'one' }],
    [['evidence.json', 'ngrok'], { unknown_query: 'ignore', restrictions_per_type: 'one' }],
    [['unknown_query=reject', 'evidence.json', 'ngrok'], { unknown_query: 'reject', page_order: 'oldest_first' }],
    [['page_order=newest_first', 'evidence.json'], { page_order: 'newest_first', unknown_query: 'ignore' }],
    [['evidence.json', 'page_order=newest_first'], { page_order: 'newest_first', unknown_query: 'ignore' }],
  ])('overrides a preset, and is overridden by single assumptions: %j', async (words, expected) => {
    const byFlags = await assumed(words.flatMap(word => ['--assume', word]))
    expect(byFlags.values).toMatchObject(expected)
    expect((await assumed([], {}, { EDGESIM_ASSUME: words.join() })).values).toEqual(byFlags.values)
  })

  it('is an option of the library, and affects the API', async () => {
    const { call } = await simulate({ assume: [evidenceFile(VERDICTS), 'unknown_query=reject'] })
    const { body } = await call('GET', '/api_keys')
    const times = body.keys.map(({ created_at }: { created_at: string }) => created_at)
    expect(body.keys.map(({ id }: { id: string }) => id)[0]).toBe('ak_admin')
    expect(times).toEqual([...times].sort())
    expect((await call('GET', '/api_keys?nonsense=1')).status).toBe(400)
    const { options } = (await call('GET', '/_sim/info')).body
    expect(options.assume).toEqual({ page_order: 'oldest_first', unknown_query: 'reject', probed: PROBED })
  })

  it('that is missing is an error with the option name in the library', async () => {
    await expect(simulate({ assume: 'nowhere.json' })).rejects.toThrow(
      /^startSimulator: assume: cannot read nowhere\.json: no such file\./,
    )
  })

  it('can contain unknown verdicts, which are reported and ignored', async () => {
    const verdicts = {
      page_order: { value: 'sideways' },
      page_size: { value: 'limit 7' },
      edges: { value: 'gone' },
      tomorrow: { undecided: 'why' },
      ['long\u001b[31m'.padEnd(2000, 'x')]: { value: 'y' },
      ['__proto__']: { value: 'z' },
    }
    const file = evidenceFile(verdicts, { version: '9.1.0' })
    const { code, out, err } = await edgesimHere(['--print-config', '--assume', file])
    expect(code).toBe(0)
    expect(out).toMatch(/^assume = {"edges":"gone","probed":/m)
    expect(err).toMatch(
      `edgesim: Ignored unknown verdicts in the evidence of api.ngrok.com (2026-11-17, written by edgesim 9.1.0): page_order=sideways; page_size=limit 7; tomorrow; long\\u001b[31mxxx`,
    )
    expect(err).toContain(`. This is edgesim ${version}.\n`)
    expect(err.length).toBeLessThan(500)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it.each<readonly [string, string | object, RegExp]>([
    ['is not JSON', '{"probed_at":', /cannot parse evidence\.json: invalid JSON\./],
    ['is empty', '', /cannot parse evidence\.json: invalid JSON\./],
    ['is too long', ' '.repeat(MAX_EVIDENCE_MB * 1024 ** 2 + 1), /cannot read evidence\.json: it is larger than 1 MB/],
    ['is a list', '[]', /evidence file: it must be an object, got a list of 0\./],
    ['is a fixture', { users: [] }, /probed_at: must be a string, got nothing\./],
    [
      'has no version',
      evidenceWith({}, { version: undefined }),
      /version: must be an edgesim version .*, got nothing\./,
    ],
    ...members.map(([what, given, says]) => [what, evidenceWith({}, given), new RegExp(says)] as const),
    ...verdicts.map(([what, given, says]) => [what, evidenceWith(given), new RegExp(says)] as const),
  ])('is rejected if it %s', async (what, content, says) => {
    const cwd = folderWith({ 'evidence.json': content })
    const { code, out, err } = await edgesimHere(['--print-config', '--assume', 'evidence.json'], { cwd })
    expect({ code, out }, what).toEqual({ code: 2, out: '' })
    expect(err).toMatch(says)
    expect(err).toMatch(/^edgesim: --assume: (evidence\.json is|cannot (read|parse) evidence\.json:) /)
    expect(err).toMatch(/ Use a file written by edgesim probe --run --out evidence\.json\.\n$/)
  })

  it.each([
    [['--assume', 'nowhere.json'], {}, /--assume: cannot read nowhere\.json: no such file\. Use a file/],
    [['--assume', 'folder.json'], {}, /--assume: cannot read folder\.json: it is a directory/],
    [['--assume', 'a.json', '--assume', 'b.json'], {}, /use only one evidence file, got a\.json and b\.json/],
    [
      [],
      { 'edgesim.config.yaml': 'port: 0\nassume: x.json' },
      /config\.yaml:2:1: assume: cannot read x\.json: no such file\./,
    ],
  ])('is rejected if it is not one file: %j', async (args, files, says) => {
    const cwd = folderWith({ 'folder.json/x': '', ...files })
    const { code, err } = await edgesimHere(['--print-config', ...args], { cwd })
    expect(code).toBe(2)
    expect(err).toMatch(says)
  })

  it('cannot be used in scenarios', async () => {
    const cwd = folderWith({ 'evidence.json': evidenceWith({}), 's.yaml': 'name: s\nassume: evidence.json\n' })
    const { code, err } = await edgesimHere(['validate', join(cwd, 's.yaml')])
    expect(code).toBe(2)
    expect(err).toMatch(/unknown assumption\. edgesim assumptions lists them/)
  })
})
