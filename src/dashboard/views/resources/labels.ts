import type { Kind } from '../../types.ts'

const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`

export const plural = ({ label }: Pick<Kind, 'label'>) =>
  capital(label.endsWith('y') && !/[aeo]y$/.test(label) ? `${label.slice(0, -1)}ies` : `${label}s`)

/** A value on one line of a table. */
export function brief(value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'boolean') return value ? '✓ yes' : '– no'
  if (Array.isArray(value))
    return value.every(item => typeof item === 'string')
      ? value.join(', ')
      : `${value.length} ${value.length === 1 ? 'item' : 'items'}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
