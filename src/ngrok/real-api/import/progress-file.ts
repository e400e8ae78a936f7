import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { isObject, parseJson } from '../../../basics/json.ts'
import { SimulatorError } from '../../../contract/simulator-error.ts'
import { whyUnwritable } from '../../../engine/files/file-error.ts'
import { readTextOf } from '../../../engine/files/read-file.ts'
import { replaceFile } from '../../../engine/files/replace-file.ts'
import { tableNames } from '../../resources/index.ts'
import type { Account } from '../connection.ts'
import type { Tally } from './report.ts'
import { isSafeRecord, type SafeRecord } from './to-record.ts'

/** Enough for 200,000 records. */
const MAX_PROGRESS_MB = 512

/** The part of a collection read so far. */
export interface Reading {
  /** In the order of the account. */
  records: SafeRecord[]
  /** Parts that responses contain along with the records. */
  parts: Record<string, SafeRecord[]>
  pages: number
  /** The path of the next page; null if the collection is complete. */
  next: string | null
  /** Why the collection was skipped. */
  skipped?: string
}

export interface Progress {
  /** By table. */
  collections: Record<string, Reading>
  tally: Tally
}

/** The settings of an import. Only an import with the same settings can resume it. */
interface Settings {
  format: number
  url: string
  vendor: string
  keepTexts: boolean
  /** A keyed hash that identifies the API key without revealing it. */
  key: string
}

const FORMAT = 1

/** The file that an interrupted import resumes from. It contains nothing that a fixture must not contain. */
export class ProgressFile {
  readonly path: string
  readonly #settings: Settings

  /** The file is next to the fixture. Its name has no format, so the import can resume with another one. */
  constructor(out: string, { url, vendor, key }: Account, keepTexts: boolean) {
    this.path = `${out.replace(/\.(json|ya?ml)$/i, '')}.progress`
    const mark = createHmac('sha256', key).update('edgesim import').digest('hex').slice(0, 8)
    this.#settings = { format: FORMAT, url, vendor, keepTexts, key: mark }
  }

  /** Undefined if there is no file. */
  read(): Progress | undefined {
    const text = this.#text()
    if (text === undefined) return undefined
    const value = parseJson(text)
    const { begun, ...progress } = isObject(value) ? value : {}
    if (!isProgress(progress)) throw this.#unusable('unexpected content')
    const other = (Object.keys(this.#settings) as (keyof Settings)[]).find(
      name => !isObject(begun) || begun[name] !== this.#settings[name],
    )
    if (other) throw this.#unusable(`it belongs to an import with a different ${SETTING_NAMES[other]}`)
    return progress
  }

  write({ collections, tally }: Progress) {
    try {
      replaceFile(this.path, JSON.stringify({ begun: this.#settings, collections, tally }))
    } catch (error) {
      const why = whyUnwritable(error, this.path)
      throw new SimulatorError('INVALID_FILE', `Cannot write ${this.path}: ${why}.`)
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
      throw this.#unusable(`cannot read it (${(error as Error).message})`)
    }
  }

  #unusable(why: string) {
    return new SimulatorError(
      'INVALID_FILE',
      `Cannot resume from ${this.path}: ${why}. Run the original command again, or delete the file to start over.`,
    )
  }
}

const SETTING_NAMES: Record<keyof Settings, string> = {
  format: 'version of edgesim',
  url: '--url',
  vendor: '--vendor',
  keepTexts: '--keep-texts setting',
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
