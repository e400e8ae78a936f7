import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { DEFAULT_VENDOR } from '../../contract/names.ts'
import { whyUnwritable } from '../../engine/files/file-error.ts'
import { distribution } from '../../engine/files/package.ts'
import { createFile, isTaken, SHARED } from '../../engine/files/replace-file.ts'
import { versionHeader } from '../../ngrok/vendor.ts'
import { readConfigFile } from '../../simulator/options/config-file.ts'
import { checkVendor } from '../../simulator/options/values.ts'
import type { Terminal } from '../process/account.ts'
import { check, lastOf } from '../resolve.ts'

export type Runner = 'vitest' | 'playwright'

const CONFIG = 'edgesim.config.json'

const fixture = (schema: string) => `# yaml-language-server: $schema=${schema}
users:
  - { id: usr_admin, name: Admin, admin: true }
api_keys:
  - { id: ak_admin, owner_id: usr_admin, token: sim_admin, description: The admin's key }
ip_policies:
  - id: ipp_office
    description: Office
    rules:
      - { action: allow, cidr: 10.0.0.0/8 }
`

const scenario = (schema: string) => `# yaml-language-server: $schema=${schema}
name: first-write-fails
description: The first write fails with a 503, and later writes succeed.
rules:
  - name: reject the first write
    when: { method: [POST, PATCH, PUT], calls: 1 }
    fault: { type: error, status: 503, retry_after: 1s }
`

const config = (schema: string, vendor: string) => `{
  "$schema": "${schema}",
  "fixture": "edgesim/fixture.yaml",
  "scenariosDir": "edgesim/scenarios"${vendor === DEFAULT_VENDOR ? '' : `,\n  "vendor": "${vendor}"`}
}
`

const test = (runner: Runner, vendor: string) => `import { expect, test } from 'edgesim/${runner}'

test('creates a key', async ({ sandbox }) => {
  const response = await fetch(\`\${sandbox.url}/api_keys\`, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${sandbox.token}\`,
      '${versionHeader(vendor).toLowerCase()}': '2',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ description: 'created by a test' }),
  })
  expect(response.status).toBe(201)
  const where = { 'body.description': 'created by a test' }
  await expect(sandbox).toHaveReceived({ operation: 'create_api_key', where, count: 1 })
})
`

/** Editors find the schemas in the package. */
const filesFor = (runner: Runner, vendor: string): Record<string, string | Buffer> => ({
  'edgesim/fixture.yaml': fixture('../node_modules/edgesim/fixtures/fixture.schema.json'),
  'edgesim/scenarios/first-write-fails.yaml': scenario('../../node_modules/edgesim/scenarios/scenario.schema.json'),
  [CONFIG]: config('./node_modules/edgesim/config.schema.json', vendor),
  [`edgesim/api-keys.${runner === 'vitest' ? 'test.mjs' : 'spec.mjs'}`]: test(runner, vendor),
})

/** Without the package: includes the schemas, and no test because the library is missing. */
const filesWithSchemas = (vendor: string): Record<string, string | Buffer> => ({
  'edgesim/fixture.yaml': fixture('fixture.schema.json'),
  'edgesim/fixture.schema.json': distribution.read('fixtures/fixture.schema.json'),
  'edgesim/scenarios/first-write-fails.yaml': scenario('../scenario.schema.json'),
  'edgesim/scenario.schema.json': distribution.read('scenarios/scenario.schema.json'),
  [CONFIG]: config('./edgesim/config.schema.json', vendor),
  'edgesim/config.schema.json': distribution.read('config.schema.json'),
})

/** The vendor of the version header that the user's client sends. Undefined after Ctrl-C. */
async function askForVendor({ input, output }: Terminal): Promise<string | undefined> {
  const lines = createInterface({ input, output, prompt: QUESTION })
  try {
    lines.prompt()
    for await (const line of lines) {
      const word = line.trim().replace(/-version$/i, '')
      try {
        return word === '' ? DEFAULT_VENDOR : checkVendor(word)
      } catch (error) {
        output.write(`The name before -Version ${(error as Error).message}\n`)
        lines.prompt()
      }
    }
    return undefined
  } finally {
    lines.close()
  }
}

/** The vendor in the configuration file, or the answer in a terminal, or the default. */
async function vendorFor(folder: string, terminal: Terminal): Promise<string | undefined> {
  const config = await readConfigFile(folder, () => {})
  if (config) return config.values.vendor ?? DEFAULT_VENDOR
  return terminal.input.isTTY && terminal.output.isTTY ? askForVendor(terminal) : DEFAULT_VENDOR
}

const QUESTION = `Which version header does your client send? ngrok's SDKs send Ngrok-Version. [${versionHeader(DEFAULT_VENDOR)}] `

export interface InitOptions {
  runner?: Runner
  vendor?: string | string[]
}

/** Creates example files; existing files are unchanged. Without a runner, creates a test only if it can run. */
export async function init(
  { runner, vendor: given }: InitOptions,
  folder = process.cwd(),
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<number> {
  const inPackage = distribution.pathOf('package.json') !== undefined
  const used = runner ?? (inPackage ? 'vitest' : undefined)
  const word = lastOf(given)
  const hasConfig = isTaken(join(folder, CONFIG))
  const vendor = word === undefined ? await vendorFor(folder, terminal) : check('--vendor', () => checkVendor(word))
  if (vendor === undefined) {
    console.error('edgesim: Cancelled. No file was written.')
    return 1
  }
  const files = used ? filesFor(used, vendor) : filesWithSchemas(vendor)
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    if (isTaken(path)) {
      console.log(`skipped  ${name} (already exists)`)
      continue
    }
    try {
      mkdirSync(dirname(path), { recursive: true })
      createFile(path, text, SHARED)
    } catch (error) {
      console.error(`edgesim: Cannot write ${name}: ${whyUnwritable(error, path)}.`)
      return 1
    }
    console.log(`wrote    ${name}`)
  }
  if (word !== undefined && hasConfig) console.log(`\nTo use this vendor, add "vendor": "${vendor}" to ${CONFIG}.`)
  const { command } = distribution
  const run = used === 'playwright' ? 'npx playwright test edgesim' : 'npx vitest run edgesim'
  console.log(
    used
      ? `
Serve the fixture:   ${command}
Run the test:        ${run}${inPackage ? '' : `  (after npm install --save-dev edgesim ${used})`}
Share one simulator between workers: ${command} exec -- ${run}`
      : `
Serve the fixture:  ${command}
Run your tests:     ${command} exec -- COMMAND`,
  )
  return 0
}
