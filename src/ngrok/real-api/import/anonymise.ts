import { mapTexts } from '../../../basics/json.ts'
import type { Content, Field, Fields } from '../../../engine/language/index.ts'
import { kindOf } from '../../resources/index.ts'
import { Aliases } from './aliases.ts'
import type { SafeLists } from './assemble.ts'
import { contentOf, hasOnlyKnownWords } from './content.ts'
import type { Report } from './report.ts'
import type { SafeRecord } from './to-record.ts'

type Json = Record<string, unknown>

/** Contents that are replaced, not omitted or copied. */
type Renamed = Extract<keyof Aliases, Content>

/**
 * Replaces ids, names, hosts and addresses: equal values get equal replacements. Omits records with certificates and
 * public keys, which contain names or identify their owner. Times are unchanged.
 */
export function anonymise(lists: SafeLists, vendor: string, report: Report): SafeLists {
  const aliases = new Aliases(vendor, report)
  return Object.fromEntries(
    Object.entries(lists).map(([table, records]) => {
      const { fields } = kindOf(table)
      const renamable = records.filter(record => {
        const hasNames = hasCertificate(fields, record)
        if (hasNames) report.note('anonymous', table)
        return !hasNames
      })
      return [table, renamable.map(record => renameRecord(fields, record, aliases, report, table))]
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
    // Values stored without a field are only times and states.
    const renamedValue = field ? renameValue(field, value, aliases, report, `${at}.${name}`) : value
    if (renamedValue !== undefined) renamed[name] = renamedValue
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
  // Free text is only included with --keep-texts.
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
