import { isObject } from '../../basics/json.ts'
import { describeProblem } from '../../basics/problem.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { integer, listOf, mapOf, objectOf, type Row, type Shape, textShape, toProblems } from '../language/index.ts'
import type { Numbers } from '../state/index.ts'
import { FORMAT } from './serialise.ts'
import type { Stored } from './stored.ts'

export const damaged = (what: string) => new SimulatorError('DATABASE_DAMAGED', what)

/** The `_edgesim` key of the file. It contains `order` only if the order differs from the file. */
type Meta = Omit<Stored, 'records'>

const count = integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const required = true

/** A first number and a count, and so on. */
const runs: Shape<number[]> = {
  ...listOf(count),
  find(value) {
    const problems = listOf(count).find(value)
    return problems ?? ((value as number[]).length % 2 ? toProblems(value, { expected: 'a list of pairs' }) : undefined)
  },
}

const numbers: Shape<Numbers> = objectOf({
  runs: { shape: runs, required },
  next: { shape: count, required },
  deleted: { shape: mapOf(count), required },
})

const metaShape = objectOf({
  format: { shape: count, required },
  seq: { shape: count, required },
  counters: { shape: mapOf(count), required },
  order: { shape: mapOf(numbers), required },
  written: { shape: textShape() },
  seeded: { shape: objectOf({ fixture: { shape: textShape(), required }, sha256: { shape: textShape(), required } }) },
})

/** Everything except a complete JSON object counts as damage. */
export function parseStored(bytes: Buffer, file: string): Stored {
  const { _edgesim, ...records } = parseObject(bytes, file)
  if (_edgesim === undefined) return { records, order: {}, seq: 0, counters: {} }
  const { format } = _edgesim as { format?: unknown }
  if (typeof format === 'number' && format !== FORMAT)
    throw damaged(`${file} has format ${format}, but this version of edgesim reads only format ${FORMAT}`)
  const [problem] = metaShape.find(_edgesim) ?? []
  if (problem) throw damaged(`the key _edgesim of ${file} is invalid: ${describeProblem(problem, 'it')}`)
  const { seq, counters, order, written, seeded } = _edgesim as Meta
  return { records, order, seq, counters, written, seeded }
}

/** The first bytes of every file that edgesim wrote. */
const HEAD = /^\{(\n( ( ("(\w+("(:( (\[.*)?)?)?)?)?)?)?)?)?$/s

/** Whether a file is an edgesim database, complete or damaged. Other files must not be overwritten. */
export function isOwnDatabase(bytes: Buffer): boolean {
  // A power failure can leave NUL bytes.
  if (bytes.every(byte => byte === 0)) return true
  try {
    const value = JSON.parse(bytes.toString('utf8'))
    return isObject(value) && Object.hasOwn(value, '_edgesim')
  } catch {
    return HEAD.test(bytes.toString('latin1', 0, 200))
  }
}

/** V8 strings are limited to 512 MB, so larger files are parsed line by line. */
const MAX_BYTES_AT_ONCE = 256 * 1024 * 1024

/** JSON.parse for the output of `serialise`. */
export function parseLines(bytes: Buffer): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  let list: unknown[] | undefined
  for (const line of linesOf(bytes)) {
    if (line === '{' || line === '}') continue
    const table = /^ {2}"(\w+)": \[(\],?)?$/.exec(line)
    if (table) {
      list = []
      value[table[1]!] = list
    } else if (line.startsWith('    ')) list!.push(JSON.parse(line.replace(/,$/, '')))
    else if (line.startsWith('  "_edgesim": ')) value._edgesim = JSON.parse(line.slice('  "_edgesim": '.length))
    else if (!/^ {2}\],?$/.test(line))
      throw new Error(`it is larger than 256 MB and has an unexpected line: ${line.slice(0, 60)}`)
  }
  if (value._edgesim === undefined) throw new Error('the end is missing')
  return value
}

function* linesOf(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const to = end < 0 ? bytes.length : end
    if (to > from) yield bytes.toString('utf8', from, to)
    from = to + 1
  }
}

function parseObject(bytes: Buffer, file: string): Record<string, Row[]> & { _edgesim?: unknown } {
  if (bytes.length === 0) throw damaged(`${file} is empty`)
  if (bytes.every(byte => byte === 0)) throw damaged(`${file} contains only NUL bytes`)
  let value: unknown
  try {
    value = bytes.length > MAX_BYTES_AT_ONCE ? parseLines(bytes) : JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw damaged(`${file} is not complete JSON: ${(error as Error).message.slice(0, 160)}`)
  }
  if (isObject(value)) return value as Record<string, Row[]>
  throw damaged(`${file} does not contain a JSON object`)
}
