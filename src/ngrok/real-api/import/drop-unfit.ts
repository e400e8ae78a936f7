import type { Path } from '../../../basics/problem.ts'
import type { Shape } from '../../../engine/language/index.ts'
import type { Report } from './report.ts'

type Json = Record<string, unknown>

/** Removes invalid values from a record. Returns false if the record itself is invalid. */
export function dropUnfit(shape: Shape, record: Json, at: string, report: Report): boolean {
  for (;;) {
    const problem = shape.find(record)?.[0]
    if (!problem) return true
    // A missing value cannot be removed: remove the object that requires it.
    const path = holderOf(record, problem.path)
    if (path.length === 0) {
      report.note('incomplete', at)
      return false
    }
    const name = path.filter(step => typeof step === 'string').join('.')
    report.note(path.length < problem.path.length ? 'incomplete' : 'unfit', `${at}.${name}`)
    remove(record, path)
  }
}

/** The path, or its closest existing ancestor. */
function holderOf(record: Json, path: Path): Path {
  let value: unknown = record
  for (const [i, step] of path.entries()) {
    const inner = Object.hasOwn(value as object, step) ? (value as Record<string | number, unknown>)[step] : undefined
    if (inner === undefined) return path.slice(0, i)
    value = inner
  }
  return path
}

function remove(record: Json, path: Path) {
  const last = path.at(-1)!
  const holder = path.slice(0, -1).reduce<unknown>((value, step) => (value as Json)[step], record)
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete (holder as Json)[last]
}
