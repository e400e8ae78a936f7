import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { boundTables, fillBounds } from '../../scripts/bounds.ts'
import {
  assumptionTable,
  commandSections,
  evidenceTable,
  experimentTable,
  fill,
  filterableTable,
  optionTable,
  servedTable,
  toolTable,
} from '../../scripts/generate-docs.ts'
import { renderTypes, typesFile } from '../../scripts/generate-types.ts'
import { gradeList, knownTable } from '../../scripts/known.ts'
import { drawLayers, readLayers } from '../../scripts/layers.ts'
import { assumptions } from '../../src/contract/assumptions.ts'
import { errors } from '../../src/contract/errors.ts'
import { toolsOf } from '../../src/mcp/tools.ts'
import { root } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'

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
    await expectFresh('docs/assumptions.md', { assumptions: assumptionTable() })
    await expectFresh('docs/real-api.md', { experiments: experimentTable() })
  })

  it('say what is known of a vendor, and what can be filtered by (else: npm run generate)', () =>
    expectFresh('docs/api.md', {
      grades: gradeList(),
      known: knownTable(root),
      evidence: evidenceTable(),
      filterable: filterableTable(),
      served: servedTable(),
    }))

  it('tell of every assumption and of every documented error where it belongs', () => {
    const told = knownTable(root)
    const missing = [
      ...Object.keys(assumptions).filter(name => !told.includes(`\`${name}\``)),
      ...Object.values(errors).filter(
        ({ code }) => typeof code === 'number' && !new RegExp(`\\b${code}\\b`).test(told),
      ),
    ]
    expect(missing).toEqual([])
  })

  it('list options and commands as they are (else: npm run generate)', () =>
    expectFresh('docs/cli.md', { options: optionTable(), commands: commandSections() }))

  it('name every bound with the value that the code has (else: npm run generate)', async () => {
    await expectFresh('docs/limits.md', { bounds: boundTables() })
    const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    const pages = files.filter(name => name.endsWith('.md'))
    for (const file of ['README.md', 'SECURITY.md', ...pages.map(name => join('docs', name))]) {
      const path = join(root, file)
      await expect(fillBounds(readFileSync(path, 'utf8'))).toMatchFileSnapshot(path)
    }
  })

  it('show the current layers of the source (else: npm run generate)', () =>
    expectFresh('docs/contributing/architecture.md', { layers: drawLayers(readLayers(root)) }))

  it('list the tools of agents as they are (else: npm run generate)', async () => {
    const { call } = await simulate()
    const { body } = await call('GET', '/_sim/control.json')
    await expectFresh('docs/agents.md', { tools: toolTable(toolsOf(body, 'default').values()) })
  })
})
