import { counted } from '../basics/text.ts'
import { tableNames } from '../resources/index.ts'
import type { Tables } from '../state/index.ts'
import type { Resumption } from './store.ts'
import type { Seeded } from './stored.ts'

export const countRecords = (tables: Tables) => tableNames.reduce((sum, name) => sum + tables.of(name).size, 0)

/** Whether the state was resumed or created, and whether the fixture has any part in it. */
export function describeDatabase(file: string, tables: Tables, now: Seeded, resumed: Resumption['resumed']): string {
  const records = counted(countRecords(tables), 'record')
  if (!resumed) return `${file}, created from the fixture ${now.fixture} with ${records}`
  const { written, seeded } = resumed
  const said = `${file}, resumed with ${records}${written ? `, last written ${written}` : ''}`
  if (!seeded) return said
  const from = `${said}, created from the fixture ${seeded.fixture}`
  if (seeded.sha256 === now.sha256) return from
  const changed = seeded.fixture === now.fixture ? 'It has changed since, which has' : `The fixture ${now.fixture} has`
  return `${from}. ${changed} no effect until --fresh`
}
