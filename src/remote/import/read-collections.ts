import { isObject } from '../../basics/json.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { MAX_PAGE_SIZE } from '../../operations/list.ts'
import { collections } from '../../resources/index.ts'
import { type Collection, collectionOperations } from '../../schema/index.ts'
import type { Connection } from '../connection.ts'
import type { ServiceResponse } from '../response.ts'
import type { Progress, Reading } from './progress-file.ts'
import { type Copying, toRecord } from './to-record.ts'

/** Limit the records of one import: a service could name further pages without end. */
export const MAX_IMPORTED_RECORDS = 200_000

const hasList = (kind: Collection) => collectionOperations(kind).some(({ kind }) => kind === 'list')
/** What can be read page by page. Parts without a list are shown with their records. */
const listed = collections.filter(hasList)
export const unlisted = collections.filter(kind => !hasList(kind) && !kind.partOf?.shown)

/** What is done while an account is read. */
export interface Watching {
  signal?: AbortSignal
  /** After each page: `progress` has it. `place` is that of the collection among all. */
  onPage(kind: Collection, reading: Reading, place: { at: number; of: number }): void
}

/** Reads all that is not in `progress` yet, and adds it there. */
export async function readCollections(
  connection: Connection<'GET'>,
  progress: Progress,
  copying: Copying,
  watching: Watching,
) {
  for (const [i, kind] of listed.entries()) {
    const first = `${kind.path}?limit=${MAX_PAGE_SIZE}`
    const reading: Reading = progress.collections[kind.table] ?? { records: [], parts: {}, pages: 0, next: first }
    progress.collections[kind.table] = reading
    if (reading.next === null) continue
    for await (const { response, next } of connection.pages(reading.next, watching.signal)) {
      const why = reading.pages === 0 ? whyUnreadable(response) : undefined
      if (why !== undefined) reading.skipped = why
      else addPage(kind, reading, itemsOf(kind, response, connection.host), copying)
      reading.pages++
      reading.next = next ?? null
      progress.tally = copying.report.toJSON()
      checkCount(progress)
      watching.onPage(kind, reading, { at: i + 1, of: listed.length })
    }
  }
}

const ABSENT = [404, 410, 501]

/** Why a collection is left out, if it is one that this key or this service does not have. */
function whyUnreadable({ status }: ServiceResponse): string | undefined {
  if (status === 403) return 'the key may not read them (status 403)'
  return ABSENT.includes(status) ? `the service does not have them (status ${status})` : undefined
}

function itemsOf({ path, listAs }: Collection, { status, body }: ServiceResponse, host: string): unknown[] {
  if (status === 401)
    throw new SimulatorError(
      'INVALID_OPTION',
      `${host} does not accept the API key (status 401). Check EDGESIM_API_KEY, and that --url and --vendor are right.`,
    )
  const items = status === 200 && isObject(body) ? body[listAs!] : undefined
  if (Array.isArray(items)) return items
  const code = isObject(body) && /^[A-Z]+(_[A-Z]+)*_\d+$/.test(String(body.error_code)) ? `, ${body.error_code}` : ''
  throw new SimulatorError(
    'UNREACHABLE',
    `${host} answered GET ${path} without the list "${listAs}" (status ${status}${code}). Is --url the address of the API?`,
  )
}

function addPage(kind: Collection, reading: Reading, items: unknown[], copying: Copying) {
  const known = new Set(reading.records.map(({ id }) => id))
  for (const item of items) {
    const [own, ...parts] = toRecord(kind, item, copying)
    if (!own) continue
    const [, record] = own
    // A list that grows or shrinks while it is read may show a record on two pages.
    if (known.has(record.id)) {
      copying.report.note('repeated', kind.table)
      continue
    }
    known.add(record.id)
    reading.records.push(record)
    for (const [table, part] of parts) {
      const list = reading.parts[table] ?? []
      reading.parts[table] = list
      list.push(part)
    }
  }
}

function checkCount({ collections }: Progress) {
  const lists = Object.values(collections).flatMap(({ records, parts }) => [records, ...Object.values(parts)])
  if (lists.reduce((sum, { length }) => sum + length, 0) > MAX_IMPORTED_RECORDS)
    throw new SimulatorError(
      'UNREACHABLE',
      `the account has more than ${MAX_IMPORTED_RECORDS} records, too many for a fixture.`,
    )
}
