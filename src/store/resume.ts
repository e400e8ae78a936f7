import { counted } from '../basics/text.ts'
import { tableNames } from '../resources/index.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { Tables } from '../state/index.ts'
import type { Store } from './store.ts'
import type { Seeded, Stored } from './stored.ts'

interface Resumption {
  warnings: string[]
  /** Undefined when the database was created. */
  resumed: Pick<Stored, 'written' | 'seeded'> | undefined
}

/** The sandbox continues from the stored state, if there is one, and is stored from now on. */
export async function attachStore(store: Store, sandbox: Sandbox, { fresh = false } = {}): Promise<Resumption> {
  const loaded = fresh ? undefined : await store.load(sandbox.clock.now())
  if (loaded) sandbox.resume(loaded)
  await store.attach(sandbox, { write: !loaded })
  sandbox.log = store
  const resumed = loaded && { written: loaded.written, seeded: loaded.seeded }
  return { warnings: loaded?.warnings ?? [], resumed }
}

export const countRecords = (tables: Tables) => tableNames.reduce((sum, name) => sum + tables.of(name).size, 0)

/** Says whether the database was resumed or created, and whether the fixture has any effect. */
export function describeDatabase(file: string, tables: Tables, now: Seeded, resumed: Resumption['resumed']): string {
  const records = counted(countRecords(tables), 'record')
  if (!resumed) return `${file}, created from the fixture ${now.fixture} with ${records}`
  const { written, seeded } = resumed
  const text = `${file}, resumed with ${records}${written ? `, last written ${written}` : ''}`
  if (!seeded) return text
  const from = `${text}, created from the fixture ${seeded.fixture}`
  if (seeded.sha256 === now.sha256) return from
  const changed = seeded.fixture === now.fixture ? 'It has changed since, which has' : `The fixture ${now.fixture} has`
  return `${from}. ${changed} no effect until --fresh`
}
