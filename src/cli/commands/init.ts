import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { whyUnwritable } from '../../files/file-error.ts'

export type Runner = 'vitest' | 'playwright'

const FIXTURE = `# yaml-language-server: $schema=../node_modules/edgesim/fixtures/fixture.schema.json
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

const SCENARIO = `# yaml-language-server: $schema=../../node_modules/edgesim/scenarios/scenario.schema.json
name: first-write-fails
description: The first write is refused with a 503; the next succeed.
rules:
  - name: refuse the first write
    when: { method: [POST, PATCH, PUT], calls: 1 }
    fault: { type: error, status: 503, retry_after: 1s }
`

const CONFIG = `{
  "$schema": "./node_modules/edgesim/config.schema.json",
  "fixture": "edgesim/fixture.yaml",
  "scenariosDir": "edgesim/scenarios"
}
`

const test = (runner: Runner) => `import { expect } from '${runner === 'vitest' ? 'vitest' : '@playwright/test'}'
import { test } from 'edgesim/${runner}'

test('creates a key', async ({ sandbox }) => {
  const answer = await fetch(\`\${sandbox.url}/api_keys\`, {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${sandbox.token}\`,
      'service-version': '2',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ description: 'made by a test' }),
  })
  expect(answer.status).toBe(201)
  await sandbox.verify({ operation: 'create_api_key', where: { 'body.description': 'made by a test' }, count: 1 })
})
`

/** Writes files to start from. Existing files are kept. */
export function init(runner: Runner, folder = process.cwd()): number {
  const ending = runner === 'vitest' ? 'test.mjs' : 'spec.mjs'
  const files: Record<string, string> = {
    'edgesim/fixture.yaml': FIXTURE,
    'edgesim/scenarios/first-write-fails.yaml': SCENARIO,
    'edgesim.config.json': CONFIG,
    [`edgesim/api-keys.${ending}`]: test(runner),
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    if (existsSync(path)) {
      console.log(`kept     ${name} (already exists)`)
      continue
    }
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    } catch (error) {
      console.error(`edgesim: ${name} cannot be written: ${whyUnwritable(error, path)}.`)
      return 1
    }
    console.log(`wrote    ${name}`)
  }
  const run = runner === 'vitest' ? 'npx vitest run edgesim' : 'npx playwright test edgesim'
  console.log(`
Serve the fixture:   npx edgesim
Run the test on it:  ${run}
With one simulator for all workers: npx edgesim exec -- ${run}`)
  return 0
}
