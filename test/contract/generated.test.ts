import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  assumptionSections,
  errorTable,
  expectedMarks,
  generalNotes,
  gradeList,
  pageBlocks,
  resourceTable,
} from '../../scripts/api-reference.ts'
import { boundTables, fillBounds } from '../../scripts/bounds.ts'
import { errorRows } from '../../scripts/errors.ts'
import {
  commandSections,
  experimentTable,
  fill,
  optionTable,
  servedTable,
  toolTable,
} from '../../scripts/generate-docs.ts'
import { assumedFile, renderAssumed, renderTypes, typesFile } from '../../scripts/generate-types.ts'
import { drawLayers, readFolders } from '../../scripts/layers.ts'
import { toolsOf } from '../../src/cli/mcp/tools.ts'
import { assumptions } from '../../src/ngrok/questions.ts'
import { root } from '../support/afterwards.ts'
import { simulate } from '../support/in-process.ts'

/** Writes with `npm run generate`. If not, fails if a document is stale. */
async function expectFresh(file: string, texts: Record<string, string>) {
  const path = join(root, file)
  const filled = Object.entries(texts).reduce(
    (text, [mark, part]) => fill(text, mark, part),
    readFileSync(path, 'utf8'),
  )
  await expect(filled).toMatchFileSnapshot(path)
}

it('File types match the declarations (if not: npm run generate)', async () => {
  await expect(renderTypes()).toMatchFileSnapshot(join(root, typesFile))
  await expect(renderAssumed()).toMatchFileSnapshot(join(root, assumedFile))
})

describe('Documents', () => {
  it('list the current assumptions (if not: npm run generate)', async () => {
    await expectFresh('docs/assumptions.md', {
      assumptions: assumptionSections(root),
      grades: gradeList(),
      served: servedTable(),
    })
    await expectFresh('docs/real-api.md', { experiments: experimentTable() })
  })

  it('list the current resources and errors (if not: npm run generate)', async () => {
    for (const [file, texts] of Object.entries(pageBlocks(root))) await expectFresh(file, texts)
    await expectFresh('docs/api.md', {
      errors: errorTable(),
      general: generalNotes(root),
      resources: resourceTable(root),
    })
  })

  it('have one field table per resource and module, and notes per section', () => {
    const marks = Object.values(pageBlocks(root)).flatMap(texts => Object.keys(texts))
    expect(marks.sort()).toEqual(expectedMarks(root).sort())
  })

  it('describe every assumption and documented error in its section', () => {
    const notes = Object.values(pageBlocks(root)).flatMap(texts =>
      Object.entries(texts).flatMap(([mark, text]) => (/^\d/.test(mark) ? text : [])),
    )
    const told = [...notes, generalNotes(root)].join('\n')
    const missing = [
      ...Object.keys(assumptions).filter(name => !told.includes(`\`${name}\``)),
      ...errorRows.filter(({ code }) => typeof code === 'number' && !new RegExp(`\\b${code}\\b`).test(told)),
    ]
    expect(missing).toEqual([])
  })

  it('list the current options and commands (if not: npm run generate)', () =>
    expectFresh('docs/cli.md', { options: optionTable(), commands: commandSections() }))

  it('list the current limits (if not: npm run generate)', async () => {
    await expectFresh('docs/limits.md', { bounds: boundTables() })
    const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    const pages = files.filter(name => name.endsWith('.md'))
    for (const file of ['README.md', 'SECURITY.md', ...pages.map(name => join('docs', name))]) {
      const path = join(root, file)
      await expect(fillBounds(readFileSync(path, 'utf8'))).toMatchFileSnapshot(path)
    }
  })

  it('show the current source layers (if not: npm run generate)', () =>
    expectFresh('docs/contributing/architecture.md', { layers: drawLayers(readFolders(root)) }))

  it('list the current MCP tools (if not: npm run generate)', async () => {
    const { call } = await simulate()
    const { body } = await call('GET', '/_sim/control.json')
    await expectFresh('docs/agents.md', { tools: toolTable(toolsOf(body, 'default').values()) })
  })
})
