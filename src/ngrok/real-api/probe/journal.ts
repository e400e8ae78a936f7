import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { isObject, parseJson } from '../../../basics/json.ts'
import { SimulatorError } from '../../../contract/simulator-error.ts'
import { whyUnreadable } from '../../../engine/files/document.ts'
import { readTextOf } from '../../../engine/files/read-file.ts'
import { looksLikeIdentifier } from '../../../engine/language/index.ts'
import { isMark, isRun, markOf, newRun } from './experiment.ts'

/** A record that a run may have created, with this marker in its metadata. */
export interface Begun {
  /** The path of its collection, such as `/ip_policies`. */
  path: string
  mark: string
  /** Ids of records known to exist. */
  ids: string[]
}

interface Head {
  run: string
  url: string
  vendor: string
  started_at: string
}

type Line = { making: string; mark: string } | { made: string; mark: string } | { settled: true; mark: string }

/** A run creates a few hundred records. */
export const MAX_JOURNAL_MB = 16

/**
 * The file that lists the records a run may leave behind. Each line is on disk before the next request is sent, so a
 * sweep finds every record, even if the process was killed.
 */
export class ProbeJournal {
  readonly #left = new Map<string, Begun>()
  readonly #descriptor: number
  #count = 0

  private constructor(
    readonly file: string,
    readonly head: Head,
    flags: 'ax' | 'a',
  ) {
    this.#descriptor = openToWrite(file, flags)
  }

  /** Creates a journal. The file must not exist. */
  static begin(fileOf: (run: string) => string, account: Omit<Head, 'run'>) {
    const run = newRun()
    const journal = new ProbeJournal(fileOf(run), { run, ...account }, 'ax')
    journal.#append(journal.head)
    return journal
  }

  /** The journal of an earlier run. */
  static open(file: string) {
    const { head, lines } = readJournal(file)
    const journal = new ProbeJournal(file, head, 'a')
    for (const line of lines) journal.#take(line)
    return journal
  }

  /** Records that may still exist, newest first. */
  left(): Begun[] {
    return [...this.#left.values()].reverse()
  }

  /** Call this before a record is created. Returns its marker. */
  begin(path: string): string {
    const mark = markOf(this.head.run, this.#count + 1)
    this.#note({ making: path, mark })
    return mark
  }

  made(mark: string, id: string) {
    if (!this.#left.get(mark)!.ids.includes(id)) this.#note({ made: id, mark })
  }

  /** The record does not exist, and will not appear later. */
  dismiss(mark: string) {
    this.#note({ settled: true, mark })
  }

  /** No records remain, so the file is deleted. */
  end() {
    this.close()
    rmSync(this.file, { force: true })
  }

  close() {
    closeSync(this.#descriptor)
  }

  #note(line: Line) {
    this.#append(line)
    this.#take(line)
  }

  #append(line: object) {
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`)
    fsyncSync(this.#descriptor)
  }

  #take(line: Line) {
    const { mark } = line
    if ('settled' in line) this.#left.delete(mark)
    else if ('made' in line) this.#left.get(mark)?.ids.push(line.made)
    else {
      this.#count++
      this.#left.set(mark, { path: line.making, mark, ids: [] })
    }
  }
}

function openToWrite(file: string, flags: 'ax' | 'a') {
  try {
    return openSync(file, flags, 0o600)
  } catch (error) {
    const why = `Cannot write ${file}: ${(error as Error).message}`
    throw new SimulatorError('INVALID_OPTION', `${why}. Nothing was sent, because the run could not be cleaned up.`)
  }
}

const notAJournal = (file: string, why: string) =>
  new SimulatorError(
    'INVALID_FILE',
    `${file} is not a probe journal${why}. A run prints its journal path when it starts.`,
  )

function readJournal(file: string): { head: Head; lines: Line[] } {
  // A truncated last line describes nothing that has happened.
  const [head, ...lines] = readText(file).split('\n').slice(0, -1).map(parseJson)
  if (!isHead(head)) throw notAJournal(file, '')
  const wrong = lines.findIndex(line => !isLine(line))
  if (wrong >= 0) throw notAJournal(file, ` (line ${wrong + 2})`)
  return { head, lines: lines as Line[] }
}

function readText(file: string): string {
  try {
    return readTextOf(file, MAX_JOURNAL_MB)
  } catch (error) {
    throw new SimulatorError('INVALID_FILE', `Cannot read ${file}: ${whyUnreadable(error)}.`)
  }
}

const isHead = (value: unknown): value is Head =>
  isObject(value) &&
  isRun(value.run) &&
  typeof value.url === 'string' &&
  URL.canParse(value.url) &&
  typeof value.vendor === 'string' &&
  /^[a-z][a-z0-9_]*$/.test(value.vendor)

/** Values from the file become part of requests. */
function isLine(value: unknown): value is Line {
  if (!isObject(value) || !isMark(value.mark)) return false
  const { making, made, settled } = value
  if (settled === true) return true
  if (typeof making === 'string') return /^(\/[a-z_]+){1,2}$/.test(making)
  return typeof made === 'string' && looksLikeIdentifier(made)
}
