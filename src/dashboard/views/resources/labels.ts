import { isObject } from '../../../basics/json.ts'
import { capital, counted, pluralOf } from '../../../basics/text.ts'
import type { Json, Kind } from '../../types.ts'

export const plural = ({ label }: Pick<Kind, 'label'>) => capital(pluralOf(label))

/** `1 IP policy`, `12 IP policies` */
export const counts = ({ label }: Pick<Kind, 'label'>, count: number) => counted(count, label)

/** A value on one line of a table. */
export function brief(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'boolean') return value ? '✓ yes' : '– no'
  if (Array.isArray(value))
    return value.every(item => typeof item === 'string') ? value.join(', ') : counted(value.length, 'item')
  return isObject(value) ? briefGroup(value) : String(value)
}

/** Fields, or the names in a module: `team: web`, `ipp_office`, `– off, ipp_office`, `✓ on`. */
function briefGroup(group: Json): string {
  const { enabled, ...rest } = group
  if (typeof enabled !== 'boolean')
    return Object.entries(group)
      .map(([name, value]) => `${name}: ${brief(value)}`)
      .join(', ')
  const named = Object.values(rest).filter(value => typeof value === 'string' || Array.isArray(value))
  const names = named.map(brief).filter(Boolean).join(', ')
  if (!names) return enabled ? '✓ on' : '– off'
  return enabled ? names : `– off, ${names}`
}

/** The required fields, which distinguish records of a kind, without the parent. */
export const summaryOf = ({ fields, part_of }: Kind, row: Json): string =>
  fields
    .filter(({ name, required }) => required && name !== part_of?.by)
    .map(({ name }) => brief(row[name]))
    .join(' ')
