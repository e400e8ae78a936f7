import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../basics/json.ts'
import { toRow } from '../../../engine/fixtures/index.ts'
import type { Collection, Fields, Look, Records } from '../../../engine/language/index.ts'
import type { Report } from './report.ts'

type Json = Record<string, unknown>

/**
 * Notes the derived fields that the simulator will return with a different value. Fields derived from other records are
 * not compared.
 */
export function noteDifferences(
  kind: Collection,
  record: Json,
  response: Json,
  { url, vendor, report }: { url: string; vendor: string; report: Report },
) {
  const from = { now: '1970-01-01T00:00:00Z', by: undefined, vendor, isTaken: () => false, get: () => undefined }
  const row = toRow(kind, record, from)
  const look: Look = {
    baseUrl: url,
    vendor,
    now: () => 0,
    assume: ({ values }) => values[0]!,
    tables: NO_RECORDS,
  }
  compare(kind.fields, row, response, kind.table)

  function compare(fields: Fields, values: Json, shown: Json, at: string) {
    for (const [name, { derived, dependsOnOthers, group }] of Object.entries(fields)) {
      const [value, responseValue] = [values[name], shown[name] ?? undefined]
      if (derived && !dependsOnOthers) {
        if (
          !isDeepStrictEqual(
            derive(() => derived(values, row, look)),
            responseValue,
          )
        )
          report.note('otherwise', `${at}.${name}`)
      } else if (group && isObject(value) && isObject(responseValue))
        compare(group, value, responseValue, `${at}.${name}`)
    }
  }
}

const NO_RECORDS: Records = {
  get: () => undefined,
  where: () => [],
  all: () => [],
  derive: compute => compute(NO_RECORDS),
}

/** A row from a response may lack values that a derived field needs. */
function derive(compute: () => unknown): unknown {
  try {
    return compute()
  } catch {
    return undefined
  }
}
