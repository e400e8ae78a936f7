import { shown } from '../options/options.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { Launch } from '../sandboxes/launch.ts'
import { attachStore, countRecords, describeDatabase, openStore, whyUnusable } from '../store/index.ts'
import type { Settings } from './settings.ts'
import type { Parts, Stored } from './types.ts'

/** Resumes the state of the sandbox from the database, or creates the database from it. */
export async function openDatabase(
  { options }: Settings,
  { files, fixture, fixtureSha256 }: Launch,
  sandbox: Sandbox,
  { files: calls, compactAt }: Parts,
  warn: (text: string) => void,
) {
  const { db, fresh, durability } = options
  const seeded = { fixture: String(shown('fixture', options.fixture)), sha256: fixtureSha256 }
  const store = openStore(db, files.fixture, { durability, seeded, calls, compactAt, onWarning: warn })
  const { warnings, resumed } = await attachStore(store, sandbox, { fresh }).catch(error => {
    throw db === undefined ? error : whyUnusable(error, db)
  })
  const firstSeq = sandbox.seq
  for (const text of [...fixture.notes, ...warnings]) warn(text)
  return {
    description: db === undefined ? undefined : describeDatabase(db, sandbox.tables, seeded, resumed),
    stored(): Stored | undefined {
      const { tables, seq } = sandbox
      return db === undefined ? undefined : { file: db, records: countRecords(tables), changes: seq - firstSeq }
    },
    close: () => store.close(),
  }
}
