import { join } from 'node:path'
import { FileError, readDocument, type SourceDocument } from '../files/document.ts'
import { NamedFiles } from '../files/named-files.ts'
import { readFixture, readFixtureFile } from '../fixtures/index.ts'
import { readScenario } from '../scenarios/index.ts'
import { packageFolder } from '../simulator.ts'

const SCENARIO_KEYS = ['rules', 'assume', 'state', 'clock', 'seed', 'name']

/** Says of each file what is wrong with it, or that nothing is. */
export async function validate(files: string[], fixturesDir: string | undefined): Promise<number> {
  let exit = 0
  for (const file of files) {
    try {
      const document = await readDocument(file)
      const lines = isScenario(document.value) ? await describeScenario(document, fixturesDir) : await describeFixture(document)
      for (const line of lines) console.log(line)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      console.error(error.message)
      exit = 2
    }
  }
  return exit
}

const isScenario = (value: unknown) =>
  typeof value === 'object' && value !== null && SCENARIO_KEYS.some(key => Object.hasOwn(value, key))

async function describeFixture(document: SourceDocument): Promise<string[]> {
  const { rows, notes } = await readFixture(document, Date.now())
  const counts = Object.entries(rows).filter(([, list]) => list.length > 0)
  const summary = counts.map(([table, list]) => `${list.length} ${table}`).join(', ')
  return [`${document.file}: fine, a fixture (${summary})`, ...notes.map(note => `  ${note}`)]
}

/** Against the default fixture: a scenario is laid over one. */
async function describeScenario(document: SourceDocument, fixturesDir: string | undefined): Promise<string[]> {
  const fixtures = new NamedFiles([fixturesDir ?? [], join(packageFolder(), 'fixtures')].flat())
  const now = Date.now()
  const { rows } = await readFixtureFile(fixtures.get('fixture', 'default'), now)
  const { name, rules } = await readScenario(document, { rows, fixtures, now })
  return [`${document.file}: fine, the scenario "${name}" (${rules.length} rules)`]
}
