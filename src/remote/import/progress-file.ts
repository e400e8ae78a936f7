import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { isObject, parseJson } from '../../basics/json.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { whyUnwritable } from '../../files/file-error.ts'
import { readTextOf } from '../../files/read-file.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { tableNames } from '../../resources/index.ts'
import type { Account } from '../connection.ts'
import type { Tally } from './report.ts'
import { isSafeRecord, type SafeRecord } from './to-record.ts'

/** Of 200,000 records. */
const MAX_PROGRESS_MB = 512

/** What was read of a collection so far. */
export interface Reading {
  /** As the account lists them. */
  records: SafeRecord[]
  /** Parts that its answers show with them. */
  parts: Record<string, SafeRecord[]>
  pages: number
  /** The path of the next page; null if all is read. */
  next: string | null
  /** Why it could not be read. */
  skipped?: string
}

export interface Progress {
  /** By table. */
  collections: Record<string, Reading>
  tally: Tally
}

/** What a file was begun with: it can only be continued with the same. */
interface Begun {
  format: number
  url: string
  vendor: string
  keepTexts: boolean
  /** Tells keys apart, and does not tell them. */
  key: string
}

const FORMAT = 1

/** Where an import goes on after an interruption. It never has more than a fixture may have. */
export class ProgressFile {
  readonly path: string
  readonly #begun: Begun

  /** The file is beside the fixture. It does not tell its format, so that the other one can be chosen in the end. */
  constructor(out: string, { url, vendor, key }: Account, keepTexts: boolean) {
    this.path = `${out.replace(/\.(json|ya?ml)$/i, '')}.progress`
    const mark = createHmac('sha256', key).update('edgesim import').digest('hex').slice(0, 8)
    this.#begun = { format: FORMAT, url, vendor, keepTexts, key: mark }
  }

  /** What was read before; undefined if there is no file. */
  read(): Progress | undefined {
    const text = this.#text()
    if (text === undefined) return undefined
    const value = parseJson(text)
    const { begun, ...progress } = isObject(value) ? value : {}
    if (!isProgress(progress)) throw this.#unusable('it is not as an import has written it')
    const other = (Object.keys(this.#begun) as (keyof Begun)[]).find(
      name => !isObject(begun) || begun[name] !== this.#begun[name],
    )
    if (other) throw this.#unusable(`it is of an import with another ${OTHER[other]}`)
    return progress
  }

  write({ collections, tally }: Progress) {
    try {
      replaceFile(this.path, JSON.stringify({ begun: this.#begun, collections, tally }))
    } catch (error) {
      const why = whyUnwritable(error, this.path)
      throw new SimulatorError('INVALID_FILE', `${this.path} cannot be written: ${why}.`)
    }
  }

  remove() {
    rmSync(this.path, { force: true })
  }

  #text() {
    try {
      return readTextOf(this.path, MAX_PROGRESS_MB)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw this.#unusable(`it cannot be read (${(error as Error).message})`)
    }
  }

  #unusable(why: string) {
    return new SimulatorError(
      'INVALID_FILE',
      `${this.path} cannot be continued: ${why}. Repeat the command that began it, or delete the file to begin again.`,
    )
  }
}

const OTHER: Record<keyof Begun, string> = {
  format: 'version of edgesim',
  url: '--url',
  vendor: '--vendor',
  keepTexts: 'choice of --keep-texts',
  key: 'API key',
}

const areRecords = (table: string, value: unknown) =>
  tableNames.includes(table) && Array.isArray(value) && value.every(each => isSafeRecord(table, each))

function isReading(table: string, value: unknown): value is Reading {
  if (!isObject(value) || !areRecords(table, value.records) || !isObject(value.parts)) return false
  const { next, pages, skipped, parts } = value
  return (
    Object.entries(parts).every(([part, list]) => areRecords(part, list)) &&
    Number.isSafeInteger(pages) &&
    (next === null || (typeof next === 'string' && next.startsWith('/'))) &&
    (skipped === undefined || typeof skipped === 'string')
  )
}

const isTally = (value: unknown) =>
  isObject(value) &&
  Object.values(value).every(places => isObject(places) && Object.values(places).every(Number.isFinite))

function isProgress(value: Record<string, unknown>): value is Record<string, unknown> & Progress {
  const { collections, tally } = value
  return (
    isTally(tally) &&
    isObject(collections) &&
    Object.entries(collections).every(([table, each]) => isReading(table, each))
  )
}
