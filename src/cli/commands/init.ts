import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { whyUnwritable } from '../../files/file-error.ts'
import { distribution } from '../../files/package.ts'
import { createFile, isTaken, SHARED } from '../../files/replace-file.ts'

export type Runner = 'vitest' | 'playwright'

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

const config = (schema: string) => `{
  "$schema": "${schema}",
  "fixture": "edgesim/fixture.yaml",
  "scenariosDir": "edgesim/scenarios"
}
`

const test = (runner: Runner) => `import { expect, test } from 'edgesim/${runner}'

test('creates a key', async ({ sandbox }) => {
  const response = await fetch(\`\${sandbox.url}/api_keys\`, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${sandbox.token}\`,
      'service-version': '2',
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
const filesFor = (runner: Runner): Record<string, string | Buffer> => ({
  'edgesim/fixture.yaml': fixture('../node_modules/edgesim/fixtures/fixture.schema.json'),
  'edgesim/scenarios/first-write-fails.yaml': scenario('../../node_modules/edgesim/scenarios/scenario.schema.json'),
  'edgesim.config.json': config('./node_modules/edgesim/config.schema.json'),
  [`edgesim/api-keys.${runner === 'vitest' ? 'test.mjs' : 'spec.mjs'}`]: test(runner),
})

/** Without the package: includes the schemas, and no test because the library is missing. */
const filesWithSchemas = (): Record<string, string | Buffer> => ({
  'edgesim/fixture.yaml': fixture('fixture.schema.json'),
  'edgesim/fixture.schema.json': distribution.read('fixtures/fixture.schema.json'),
  'edgesim/scenarios/first-write-fails.yaml': scenario('../scenario.schema.json'),
  'edgesim/scenario.schema.json': distribution.read('scenarios/scenario.schema.json'),
  'edgesim.config.json': config('./edgesim/config.schema.json'),
  'edgesim/config.schema.json': distribution.read('config.schema.json'),
})

/** Creates example files; existing files are unchanged. Without a runner, creates a test only if it can run. */
export function init(runner: Runner | undefined, folder = process.cwd()): number {
  const inPackage = distribution.pathOf('package.json') !== undefined
  const used = runner ?? (inPackage ? 'vitest' : undefined)
  const files = used ? filesFor(used) : filesWithSchemas()
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
