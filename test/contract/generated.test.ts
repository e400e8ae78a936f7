import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  assumptionTable,
  commandSections,
  evidenceTable,
  fill,
  optionTable,
  toolTable,
  topAssumptionTable,
  unsimulatedList,
} from '../../scripts/generate-docs.ts'
import { renderTypes, typesFile } from '../../scripts/generate-types.ts'
import { drawHouse, readHouse } from '../../scripts/house.ts'
import { toolsOf } from '../../src/mcp/tools.ts'
import { root } from '../support/cli.ts'
import { simulate } from '../support/simulate.ts'

/** Writes with `npm run generate`; otherwise fails while a document is stale. */
async function expectFresh(file: string, texts: Record<string, string>) {
  const path = join(root, file)
  const filled = Object.entries(texts).reduce(
    (text, [mark, part]) => fill(text, mark, part),
    readFileSync(path, 'utf8'),
  )
  await expect(filled).toMatchFileSnapshot(path)
}

it('The types of files are what the declarations say (else: npm run generate)', async () => {
  await expect(renderTypes()).toMatchFileSnapshot(join(root, typesFile))
})

describe('Documents', () => {
  it('list the assumptions as they are (else: npm run generate)', async () => {
    await expectFresh('README.md', { 'top-assumptions': topAssumptionTable() })
    await expectFresh('docs/assumptions.md', { assumptions: assumptionTable() })
  })

  it('say what is known of a vendor, and what is not simulated (else: npm run generate)', () =>
    expectFresh('docs/api.md', { evidence: evidenceTable(), unsimulated: unsimulatedList() }))

  it('list options and commands as they are (else: npm run generate)', () =>
    expectFresh('docs/cli.md', { options: optionTable(), commands: commandSections() }))

  it('draw the rooms of the source as they are (else: npm run generate)', () =>
    expectFresh('docs/architecture.md', { house: drawHouse(readHouse(root)) }))

  it('list the tools of agents as they are (else: npm run generate)', async () => {
    const { call } = await simulate()
    const { body } = await call('GET', '/_sim/control.json')
    await expectFresh('docs/agents.md', { tools: toolTable(toolsOf(body, 'default').values()) })
  })
})
