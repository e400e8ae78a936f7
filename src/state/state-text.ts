import { chunkSteps, type Steps } from '../basics/slices.ts'
import { tableNames } from '../resources/index.ts'
import type { Tables } from './tables.ts'

/** All rows as JSON, in pieces and without the braces: what is long in the log's line of a state that was swapped whole. */
export const stateText = (tables: Tables): Steps<Uint8Array[]> => chunkSteps(piecesOf(tables))

function* piecesOf(tables: Tables): Generator<string> {
  let before = '"state":{'
  for (const name of tableNames) {
    yield `${before}${JSON.stringify(name)}:[`
    before = ''
    for (const row of tables.of(name).oldestFirst()) {
      yield before + JSON.stringify(row)
      before = ','
    }
    yield ']'
    before = ','
  }
  yield '}'
}
