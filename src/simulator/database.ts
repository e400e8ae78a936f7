import { counted } from '../basics/text.ts'
import type { Sandboxes } from '../engine/launch/registry.ts'
import type { Tables } from '../engine/state/index.ts'
import { type Loaded, openStore, type Seeded, whyUnusable } from '../engine/store/index.ts'
import { shown } from './options/shown.ts'
import type { Settings } from './settings.ts'
import type { Notices, Parts, Stored } from './types.ts'

/** Resumes the sandbox state from the database, or creates the database from it. */
export async function openDatabase(
  { options }: Settings,
  { launch: { files, fixture, fixtureSha256 }, default: sandbox }: Sandboxes,
  { files: calls, compactAt, quietMs }: Parts,
  { warn }: Notices,
) {
  const { db, fresh, durability } = options
  const seeded = { fixture: String(shown('fixture', options.fixture)), sha256: fixtureSha256 }
  const store = openStore(db, files.fixture, {
    durability,
    seeded,
    calls,
    compactAt,
    quietMs,
    catalog: sandbox.api.catalog,
    onWarning: warn,
  })
  const resumed = await store.open(sandbox, { fresh }).catch(error => {
    throw db === undefined ? error : whyUnusable(error, db)
  })
  const firstSeq = sandbox.seq
  for (const text of [...fixture.notes, ...(resumed?.warnings ?? [])]) warn(text)
  return {
    description: db === undefined ? undefined : describeDatabase(db, sandbox.tables, seeded, resumed),
    stored(): Stored | undefined {
      const { tables, seq } = sandbox
      return db === undefined ? undefined : { file: db, records: countRecords(tables), changes: seq - firstSeq }
    },
    close: () => store.close(),
  }
}

const countRecords = (tables: Tables) => tables.catalog.tableNames.reduce((sum, name) => sum + tables.of(name).size, 0)

/** Describes whether the database was resumed or created, and whether the fixture has any effect. */
function describeDatabase(file: string, tables: Tables, now: Seeded, resumed: Loaded | undefined): string {
  const records = counted(countRecords(tables), 'record')
  if (!resumed) return `${file}, created from the fixture ${now.fixture} with ${records}`
  const { written, seeded } = resumed
  const text = `${file}, resumed with ${records}${written ? `, last written ${written}` : ''}`
  if (!seeded) return text
  const from = `${text}, created from the fixture ${seeded.fixture}`
  if (seeded.sha256 === now.sha256) return from
  const changed =
    seeded.fixture === now.fixture ? 'The fixture has changed since then' : `The fixture is now ${now.fixture}`
  return `${from}. ${changed}. To apply it, use --fresh`
}
