import { basename, dirname } from 'node:path'
import type { FileCalls } from './file-calls.ts'

/** Renames a damaged database file and its log. */
export function setAside(file: string, calls: FileCalls): string {
  const names = new Set(calls.list(dirname(file)))
  const exists = (path: string) => names.has(basename(path))
  let aside = `${file}.damaged`
  for (let i = 2; exists(aside) || exists(`${aside}.log`); i++) aside = `${file}.damaged.${i}`
  // The file first: without its log, it would be resumed as an older state.
  for (const suffix of ['', '.log']) if (exists(file + suffix)) calls.rename(file + suffix, aside + suffix)
  return aside
}
