import { mapTexts } from '../../basics/json.ts'
import { kindOf } from '../../resources/index.ts'
import { type Content, contentOf, type Field, type Fields, hasOnlyKnownWords } from '../../schema/index.ts'
import { Aliases } from './aliases.ts'
import type { SafeLists } from './assemble.ts'
import type { Report } from './report.ts'
import type { SafeRecord } from './to-record.ts'

type Json = Record<string, unknown>

/** What is not left out, and not kept. */
type Renamed = Extract<keyof Aliases, Content>

/**
 * The records with other ids, names, hosts and addresses: always the same in place of the same. Records with certificates
 * and public keys are left out, since these have names in them or are known to be somebody's. Times stay.
 */
export function anonymise(lists: SafeLists, vendor: string, report: Report): SafeLists {
  const aliases = new Aliases(vendor, report)
  return Object.fromEntries(
    Object.entries(lists).map(([table, records]) => {
      const { fields } = kindOf(table)
      const kept = records.filter(record => {
        const hasNames = hasCertificate(fields, record)
        if (hasNames) report.note('anonymous', table)
        return !hasNames
      })
      return [table, kept.map(record => renameRecord(fields, record, aliases, report, table))]
    }),
  )
}

const hasCertificate = (fields: Fields, record: Json) =>
  Object.entries(fields).some(([name, field]) => contentOf(field) === 'certificate' && record[name] !== undefined)

function renameRecord(fields: Fields, record: SafeRecord, aliases: Aliases, report: Report, table: string): SafeRecord {
  const { id, ...rest } = record
  return { id: aliases.id(id), ...renameFields(fields, rest, aliases, report, table) } as unknown as SafeRecord
}

function renameFields(fields: Fields, values: Json, aliases: Aliases, report: Report, at: string): Json {
  const renamed: Json = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    // What is stored beside the fields tells times and states alone.
    const given = field ? renameValue(field, value, aliases, report, `${at}.${name}`) : value
    if (given !== undefined) renamed[name] = given
  }
  return renamed
}

function renameValue(field: Field, value: unknown, aliases: Aliases, report: Report, at: string): unknown {
  const { group } = field
  if (group) {
    const rename = (each: unknown) => renameFields(group, each as Json, aliases, report, at)
    return Array.isArray(value) ? value.map(rename) : rename(value)
  }
  const holds = contentOf(field)!
  if (holds === 'secret' || (holds === 'plain' && hasOnlyKnownWords(field.shape.json))) return value
  // There are texts only if they were asked for.
  if (holds === 'text') {
    if (value !== '') report.note('asked', at)
    return value
  }
  if (holds === 'personal' || holds === 'certificate') {
    if (value !== '') report.note('anonymous', at)
    return undefined
  }
  return mapTexts(value, aliases[holds === 'url' ? 'host' : (holds satisfies Renamed)])
}
