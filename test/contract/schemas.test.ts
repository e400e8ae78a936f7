import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  configFile,
  configSchema,
  renderConfigSchema,
  renderReportSchema,
  renderSchema,
  reportFile,
  schemaFiles,
} from '../../scripts/generate-schemas.ts'
import { renderLargeAccount } from '../../scripts/large-account.ts'
import { root } from '../support/afterwards.ts'
import { edgesimHere } from '../support/in-process.ts'

describe.each(schemaFiles)('$file', each => {
  const path = join(root, each.file)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  const validate = ajv.compile(JSON.parse(renderSchema(each)))
  const examples = readdirSync(dirname(path)).filter(name => /\.(json|ya?ml)$/.test(name) && !/\.schema\./.test(name))

  it('matches the declarations (if not: npm run generate)', async () => {
    await expect(renderSchema(each)).toMatchFileSnapshot(path)
  })

  it.each(examples)('accepts %s', name => {
    const text = readFileSync(join(dirname(path), name), 'utf8')
    const value = name.endsWith('.json') ? JSON.parse(text) : parse(text)
    expect(validate(value), ajv.errorsText(validate.errors)).toBe(true)
  })

  it('rejects an unknown field', () => {
    expect(validate({ no_such_name: [] })).toBe(false)
  })
})

it('The fixtures of the package are valid, which edgesim start does not check', async () => {
  const files = ['fixtures/default.json', 'fixtures/empty.json']
  const { code, out, err } = await edgesimHere(['validate', ...files], { cwd: root })
  expect(code, err).toBe(0)
  for (const file of files) expect(out).toContain(`${file}: valid fixture`)
})

it('scenarios/large-account.json matches its script (if not: npm run generate)', async () => {
  await expect(renderLargeAccount()).toMatchFileSnapshot(join(root, 'scenarios/large-account.json'))
})

it(`${reportFile} matches the code (if not: npm run generate)`, async () => {
  await expect(renderReportSchema()).toMatchFileSnapshot(join(root, reportFile))
})

describe(configFile, () => {
  const validate = new Ajv2020({ strict: false }).compile(configSchema())

  it('matches the table of options (if not: npm run generate)', async () => {
    await expect(renderConfigSchema()).toMatchFileSnapshot(join(root, configFile))
  })

  it('accepts exactly the valid fields', () => {
    const words = ['ngrok', 'evidence.json', 'page_order=oldest_first']
    const assume = [{ page_order: 'oldest_first' }, 'ngrok', './evidence.json', words]
    const right = [{ port: 4700, vendor: 'ngrok', log: 'json', cors: ['x'] }, ...assume.map(assume => ({ assume }))]
    const wrong = [{ prot: 1 }, { port: 'x' }, { log: 'loud' }, { cors: 'x' }]
    const assumed = [{ assume: 'ngork' }, { assume: { page_order: 'x' } }]
    expect(right.filter(config => !validate(config))).toEqual([])
    expect([...wrong, ...assumed].filter(config => validate(config))).toEqual([])
  })
})
