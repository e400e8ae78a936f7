import { tableNames } from '../resources/index.ts'
import type { Steps } from '../slices.ts'
import type { Tables } from './tables.ts'

const CHUNK_LENGTH = 256 * 1024

/** All rows as JSON, in pieces and without the braces: what is long in the log's line of a state that was swapped whole. */
export function* stateText(tables: Tables): Steps<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let text = '"state":{'
  let before = ''
  for (const name of tableNames) {
    text += `${before}${JSON.stringify(name)}:[`
    before = ''
    for (const row of tables.of(name).oldestFirst()) {
      text += before + JSON.stringify(row)
      before = ','
      if (text.length < CHUNK_LENGTH) {
        yield
        continue
      }
      chunks.push(Buffer.from(text))
      text = ''
      yield
    }
    text += ']'
    before = ','
  }
  return [...chunks, Buffer.from(`${text}}`)]
}
