import { SimulatorError } from '../../../contract/simulator-error.ts'
import { ipRestrictions } from '../../resources/index.ts'
import { type Account, Connection, type Time } from '../connection.ts'
import { anonymise } from './anonymise.ts'
import { assemble, type SafeLists } from './assemble.ts'
import { type Progress, ProgressFile } from './progress-file.ts'
import { readCollections, unlisted, type Watching } from './read-collections.ts'
import { Report } from './report.ts'
import type { SafeRecord } from './to-record.ts'
import { checkOut, writeFixture } from './write-fixture.ts'

export interface ImportOptions {
  out: string
  pace?: number
  keepTexts?: boolean
  anonymise?: boolean
  force?: boolean
}

export interface ImportEvents extends Pick<Watching, 'signal'> {
  onPage?: Watching['onPage']
  onWait?(seconds: number, why: string): void
  time?: Time
}

/** The result, as lines for people. */
export interface Imported {
  requests: number
  lines: string[]
}

/** The file that an interrupted import resumes from. */
export const progressOf = (account: Account, { out, keepTexts = false }: ImportOptions) =>
  new ProgressFile(out, account, keepTexts)

/** Reads an account with GET requests only and writes it as a fixture. */
export async function importAccount(
  account: Account,
  options: ImportOptions,
  { signal, onPage, onWait, time }: ImportEvents = {},
): Promise<Imported> {
  const { out, pace, keepTexts = false, force = false } = options
  const { url, vendor } = account
  checkOut(out, force)
  const file = progressOf(account, options)
  const connection = new Connection(account, ['GET'], { pace, onWait, time })
  const progress: Progress = file.read() ?? { collections: {}, tally: {} }
  const report = new Report(progress.tally)
  await readCollections(
    connection,
    progress,
    { url, vendor, keepTexts, report },
    {
      signal,
      onPage(...page) {
        file.write(progress)
        onPage?.(...page)
      },
    },
  )
  const [first, ...others] = Object.values(progress.collections).map(({ skipped }) => skipped)
  if (![first, ...others].includes(undefined)) {
    file.remove()
    const why = `${connection.host} returned no records for this key: ${first}`
    throw new SimulatorError('INVALID_OPTION', `${why}. Check EDGESIM_API_KEY and --url.`)
  }
  const newestFirst = isNewestFirst(progress)
  const lists = listsOf(progress, newestFirst)
  const fixture = assemble(options.anonymise ? anonymise(lists, vendor, report) : lists, vendor, report)
  await writeFixture(out, fixture, vendor, force)
  file.remove()
  return { requests: connection.sent, lines: [...readLines(progress, newestFirst), ...report.lines()] }
}

/** Whether most lists of the account are newest first. */
function isNewestFirst({ collections }: Progress): boolean {
  let balance = 0
  for (const { records } of Object.values(collections))
    for (const [i, { created_at: at }] of records.entries())
      if (i > 0) balance += Math.sign(Date.parse(String(records[i - 1]!.created_at)) - Date.parse(String(at))) || 0
  return balance >= 0
}

/** The records of all tables, oldest first. Parts are in the order within their records. */
function listsOf({ collections }: Progress, newestFirst: boolean): SafeLists {
  const oldestFirst = (records: SafeRecord[]) => (newestFirst ? records.toReversed() : records)
  const all = Object.entries(collections).flatMap(([table, { records, parts }]) => [
    [table, oldestFirst(records)],
    ...Object.entries(parts),
  ])
  return Object.fromEntries(all)
}

const RESTRICTED =
  'An IP restriction of type api is enforced. The simulator blocks calls from addresses that its policies do not allow, including 127.0.0.1. Set enforced to false in the fixture, or add a rule.'

const restrictsApi = ({ collections }: Progress) =>
  collections[ipRestrictions.table]!.records.some(({ type, enforced }) => type === 'api' && enforced === true)

function readLines(progress: Progress, newestFirst: boolean): string[] {
  const { collections } = progress
  const counts = Object.entries(collections).flatMap(([table, { records, parts }]) =>
    Object.entries({ [table]: records, ...parts }).map(([name, { length }]) => [name, length] as const),
  )
  const found = counts.filter(([, count]) => count > 0).map(([table, count]) => `${table} ${count}`)
  const skipped = Object.entries(collections).filter(([, reading]) => reading.skipped !== undefined)
  return [
    `Read: ${found.join(', ') || 'no records'}`,
    'Not read:',
    ...skipped.map(([table, reading]) => `  ${table}: ${reading.skipped}`),
    ...unlisted.map(({ table }) => `  ${table}: the API has no list operation`),
    '  users: the API has no list operation. Users who own a record are in the fixture by ID, as admins.',
    ...(restrictsApi(progress) ? [RESTRICTED] : []),
    ...(newestFirst ? [] : ['The account lists the oldest first. Serve it with --assume page_order=oldest_first.']),
  ]
}
