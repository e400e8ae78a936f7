import type { FieldInfo } from '../types.ts'

/** What every way to fill in a declared field is given. */
export interface FieldProps {
  field: FieldInfo
  value: unknown
  onChange(value: unknown): void
  disabled?: boolean
  wrong?: boolean
}
