import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { folderWith, root, writeFiles } from '../support/afterwards.ts'
import { edgesimHere } from '../support/in-process.ts'
import { blocksOf } from '../support/markdown.ts'
import { tableIn } from '../support/tables.ts'
import { editorOf } from './editor.ts'

interface Cases {
  errors: [file: string, text: string, problem: string][]
  names: [file: string, text: string, some: Record<string, string>][]
  descriptions: [file: string, text: string, description: string][]
}
const cases: Cases = tableIn(import.meta.url, 'editors.yaml')

interface Settings {
  'yaml.schemas': Record<string, string>
  'json.schemas': { url: string; fileMatch: string[] }[]
}

const [vsCode, neovim, helix] = blocksOf('docs/editors.md').map(({ text }) => text)
const settings: Settings = JSON.parse(vsCode!)
const associations = Object.entries(settings['yaml.schemas'])

const project = folderWith()
mkdirSync(join(project, 'node_modules'))
symlinkSync(root, join(project, 'node_modules/edgesim'), 'junction')
await edgesimHere(['init'], { cwd: project })
const read = (file: string) => readFileSync(join(project, file), 'utf8')

// The schema store is on the internet.
const yaml = { schemas: settings['yaml.schemas'], schemaStore: { enable: false } }
const { check, complete, hover } = await editorOf(project, yaml)

const COMMENT = /^# yaml-language-server: .*\n/
const NOT_ALLOWED = 'Property no_such_member is not allowed.'
const SCENARIOS = 'node_modules/edgesim/scenarios'

describe('The settings of docs/editors.md, in a file without a comment,', () => {
  it.each(cases.errors)('mark errors at their lines: %s', async (file, text, problem) => {
    expect(await check(file, text)).toEqual([problem])
  })

  it.each(cases.names)('offer names with descriptions: %s', async (file, text, some) => {
    const { $schema: _, ...offered } = await complete(file, text)
    for (const [name, description] of Object.entries(some)) expect(offered[name], name).toMatch(new RegExp(description))
    expect(Object.keys(offered).filter(name => !offered[name])).toEqual([])
  })

  it.each(cases.descriptions)('show descriptions: %s', async (file, text, description) => {
    expect((await hover(file, text)).replaceAll('\\', '')).toContain(description)
  })

  it('accept the files of the package and of edgesim init, with or without comments', async () => {
    const own = readdirSync(join(project, 'edgesim'), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.ya?ml$/.test(name))
      .map(name => `edgesim/${name.replaceAll('\\', '/')}`)
    expect(own).toEqual(expect.arrayContaining(['edgesim/fixture.yaml', 'edgesim/scenarios/first-write-fails.yaml']))
    const shipped = readdirSync(join(project, SCENARIOS)).filter(name => name.endsWith('.yaml'))
    expect(shipped.length).toBeGreaterThan(5)
    // JSON as YAML, because editors use another server for JSON. A few of 1,000 similar keys suffice.
    const few = (_: string, value: unknown) => (Array.isArray(value) ? value.slice(0, 20) : value)
    const fromJson = (file: string) => stringify({ ...JSON.parse(read(file), few), $schema: undefined })
    const files = Object.fromEntries([
      ...own.map(file => [file.replace('edgesim/', 'commented/'), read(file)]),
      ...own.map(file => [`3/${file}`, read(file).replace(COMMENT, '')]),
      ...shipped.map(name => [`edgesim/scenarios/${name}`, read(`${SCENARIOS}/${name}`).replace(COMMENT, '')]),
      ['edgesim/scenarios/large-account.yaml', fromJson(`${SCENARIOS}/large-account.json`)],
      ['edgesim/fixture-default.yaml', fromJson('node_modules/edgesim/fixtures/default.json')],
      ['edgesim/fixture-empty.yaml', fromJson('node_modules/edgesim/fixtures/empty.json')],
      ['3/edgesim.config.yaml', fromJson('edgesim.config.json')],
    ])
    // The only problem is the added field. A file without a schema would have no problems.
    const found = await Promise.all(
      Object.entries(files).map(async ([file, text]) => [file, await check(file, `${text}no_such_member: 1\n`)]),
    )
    const wrong = found.filter(([, problems]) => String(problems).replace(/^\d+: /, '') !== NOT_ALLOWED)
    expect(wrong).toEqual([])
  })

  it('ignore other YAML files', async () => {
    const others = ['docker-compose.yaml', 'edgesim/other.yaml', 'scenarios/a.yaml', 'not-edgesim/fixture.yaml']
    for (const file of [...others, 'config.yaml', 'edgesim/fixture/a.yaml', 'edgesim/scenarios/a/b.yaml']) {
      expect(await hover(file, 'users‸: x\n'), file).toBe('')
    }
    expect(await check('edgesim/others.yaml', 'users: x\nrules: x\nport: x\n')).toEqual([])
  })
})

describe('docs/editors.md', () => {
  it('has the same settings for VS Code, Neovim and Helix, for JSON and YAML', () => {
    for (const block of [neovim!, helix!]) {
      const pairs = [...block.matchAll(/"(.+)"\]? = "(.+)"/g)].map(([, schema, files]) => [schema, files])
      expect(pairs).toEqual(associations)
    }
    expect(settings['json.schemas']).toEqual(
      associations.map(([url, files]) => ({ url, fileMatch: [files.replace('{yaml,yml}', 'json')] })),
    )
  })
})

describe('A $schema field', () => {
  it('selects the schema of a YAML file, and edgesim accepts it', async () => {
    const schemaOf = (name: string) => `$schema: ../node_modules/edgesim/${name}.schema.json\n`
    const files = {
      'own/state.yaml': `${schemaOf('fixtures/fixture')}users: []\n`,
      'own/faults.yaml': `${schemaOf('scenarios/scenario')}seed: 1\n`,
      'own/edgesim.config.yaml': `${schemaOf('config')}port: 0\n`,
    }
    for (const [file, text] of Object.entries(files)) {
      // Under a name that is not in the settings.
      const problems = await check(file.replace('.config', ''), `${text}no_such_member: 1\n`)
      expect(problems, file).toEqual([`3: ${NOT_ALLOWED}`])
    }
    writeFiles(project, files)
    const valid = await edgesimHere(['validate', 'own/state.yaml', 'own/faults.yaml'], { cwd: project })
    expect(valid).toMatchObject({ code: 0, err: '' })
    const configured = await edgesimHere(['start', '--print-config'], { cwd: join(project, 'own') })
    expect(configured).toMatchObject({ code: 0, err: '' })
  })

  it('of edgesim.config.json names a schema that rejects unknown fields', () => {
    const config = JSON.parse(read('edgesim.config.json'))
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(read(config.$schema)))
    expect(validate(config)).toBe(true)
    expect(validate({ ...config, no_such_member: 1 })).toBe(false)
  })
})
