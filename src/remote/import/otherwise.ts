import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../basics/json.ts'
import { toRow } from '../../fixtures/index.ts'
import type { Collection, Fields, Look, Row } from '../../schema/index.ts'
import type { Report } from './report.ts'

type Json = Record<string, unknown>

/**
 * Notes which members of an answer a simulator will answer otherwise, although it has the record: those that follow from
 * the rest of it and are not as they would here. What follows from other records is not compared.
 */
export function noteOtherwise(
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
    get: () => undefined,
    where: () => [],
    assume: () => '',
    derive: make => make({ of: () => NO_ROWS }),
  }
  compare(kind.fields, row, response, kind.table)

  function compare(fields: Fields, values: Json, shown: Json, at: string) {
    for (const [name, { derived, dependsOnOthers, group }] of Object.entries(fields)) {
      const [value, member] = [values[name], shown[name] ?? undefined]
      if (derived && !dependsOnOthers) {
        if (
          !isDeepStrictEqual(
            derive(() => derived(values, row, look)),
            member,
          )
        )
          report.note('otherwise', `${at}.${name}`)
      } else if (group && isObject(value) && isObject(member)) compare(group, value, member, `${at}.${name}`)
    }
  }
}

const NO_ROWS = { oldestFirst: (): Row[] => [] }

/** A row that was made of an answer may lack what others have: then nothing follows. */
function derive(make: () => unknown): unknown {
  try {
    return make()
  } catch {
    return undefined
  }
}
