import { isObject } from '../../../basics/json.ts'
import { SimulatorError } from '../../../contract/simulator-error.ts'
import { type Collection, collectionOperations } from '../../../engine/language/index.ts'
import { MAX_PAGE_SIZE } from '../../pages.ts'
import { collections } from '../../resources/index.ts'
import type { Connection } from '../connection.ts'
import type { ServiceResponse } from '../response.ts'
import type { Progress, Reading } from './progress-file.ts'
import { type Copying, toRecord } from './to-record.ts'

/** Records per import: a server could link to further pages without end. */
export const MAX_IMPORTED_RECORDS = 200_000

const hasList = (kind: Collection) => collectionOperations(kind).some(({ kind }) => kind === 'list')
/** Collections that can be read page by page. Parts without a list come with their records. */
const listed = collections.filter(hasList)
export const unlisted = collections.filter(kind => !hasList(kind) && !kind.partOf?.shown)

/** Hooks of a running import. */
export interface Watching {
  signal?: AbortSignal
  /** Called after each page is added to `progress`. `place` is the position among all collections. */
  onPage(kind: Collection, reading: Reading, place: { at: number; of: number }): void
}

/** Reads everything that is not yet in `progress` and adds it. */
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

/** Why the collection is skipped, if this key or this API does not have it. */
function whyUnreadable({ status }: ServiceResponse): string | undefined {
  if (status === 403) return 'access denied (status 403)'
  return ABSENT.includes(status) ? `the API does not have them (status ${status})` : undefined
}

function itemsOf({ path, listAs }: Collection, { status, body }: ServiceResponse, host: string): unknown[] {
  if (status === 401)
    throw new SimulatorError(
      'INVALID_OPTION',
      `${host} rejected the API key (status 401). Check EDGESIM_API_KEY, --url and --vendor.`,
    )
  const items = status === 200 && isObject(body) ? body[listAs!] : undefined
  if (Array.isArray(items)) return items
  const code = isObject(body) && /^[A-Z]+(_[A-Z]+)*_\d+$/.test(String(body.error_code)) ? `, ${body.error_code}` : ''
  throw new SimulatorError(
    'UNREACHABLE',
    `GET ${path} at ${host} returned no list "${listAs}" (status ${status}${code}). Check that --url points to the API.`,
  )
}

function addPage(kind: Collection, reading: Reading, items: unknown[], copying: Copying) {
  const known = new Set(reading.records.map(({ id }) => id))
  for (const item of items) {
    const [own, ...parts] = toRecord(kind, item, copying)
    if (!own) continue
    const [, record] = own
    // A list that changes during the import may contain a record on two pages.
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
      `The account has more than ${MAX_IMPORTED_RECORDS} records, too many for a fixture.`,
    )
}
