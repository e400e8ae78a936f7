import { counted, printableLines } from '../../basics/text.ts'
import { readDocument, type SourceDocument } from '../../engine/files/document.ts'
import { FileError } from '../../engine/files/file-error.ts'
import { NamedFiles } from '../../engine/files/named-files.ts'
import {
  type Fixture,
  kindOfDocument,
  type Reading,
  readFixture,
  readFixtureFile,
} from '../../engine/fixtures/index.ts'
import { readScenario } from '../../engine/scenarios/scenario.ts'
import { ngrok } from '../../ngrok/api.ts'
import { checkNames } from '../named.ts'
import type { Resolved } from '../resolve.ts'

/** Prints the problems of each file, or that it is valid. */
export async function validate(files: string[], resolved: Resolved, json = false): Promise<number> {
  checkNames(resolved)
  let exit = 0
  const problems: object[] = []
  for (const file of files) {
    try {
      const document = await readDocument(file)
      const lines = await (kindOfDocument(ngrok.catalog, document.value) === 'scenario'
        ? describeScenario(document, resolved)
        : describeFixture(document, resolved))
      if (!json) for (const line of lines) console.log(line)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      if (json) problems.push(...error.problems.map(problem => ({ file, ...problem })))
      else console.error(printableLines(error.message))
      exit = 2
    }
  }
  if (json) console.log(JSON.stringify({ valid: exit === 0, problems }, null, 2))
  return exit
}

const readingOf = ({ values }: Resolved): Reading => ({
  catalog: ngrok.catalog,
  now: Date.now(),
  vendor: values.vendor,
  dangling: values.assume?.unknown_reference === 'accept',
})

const fixturesOf = ({ values }: Resolved) => new NamedFiles('fixtures', values.fixturesDir)

async function describeFixture(document: SourceDocument, resolved: Resolved): Promise<string[]> {
  const { rows, notes } = await readFixture(document, { ...readingOf(resolved), fixtures: fixturesOf(resolved) })
  const counts = ngrok.catalog.kinds.filter(({ table }) => rows[table]!.length > 0)
  const summary = counts.map(({ name, table }) =>
    rows[table]!.length === 1 ? `1 ${name}` : `${rows[table]!.length} ${table}`,
  )
  return [`${document.file}: valid fixture (${summary.join(', ')})`, ...notes.map(note => `  ${note}`)]
}

/** A scenario applies to a fixture, and may contain its ids. */
async function describeScenario(document: SourceDocument, resolved: Resolved): Promise<string[]> {
  const { fixture } = resolved.values as { fixture: string }
  const fixtures = fixturesOf(resolved)
  const reading = { ...readingOf(resolved), fixtures }
  const { rows }: Fixture = await readFixtureFile(fixtures.find(fixture) ?? fixture, reading)
  const { name, rules } = await readScenario(document, {
    api: ngrok,
    ...readingOf(resolved),
    rows,
    fixtures,
    assumed: withoutProbe(resolved),
  })
  return [`${document.file}: valid scenario "${name}" (${counted(rules.length, 'rule')})`]
}

function withoutProbe({ values }: Resolved) {
  const { probed: _probed, ...assumed } = values.assume ?? {}
  return assumed
}
