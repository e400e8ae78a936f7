import { describe, expect, it } from 'vitest'
import { parseTime, toStoredTime } from '../../../src/engine/language/time.ts'
import { tableIn } from '../../support/tables.ts'

const { stored, rejected } = tableIn<{ stored: [given: string, stored: string][]; rejected: string[] }>(
  import.meta.url,
  'time.yaml',
)

describe('A time', () => {
  it.each(stored)('%s is stored as %s', (given, stored) => {
    expect(toStoredTime(given)).toBe(stored)
  })

  it.each(rejected)('cannot be %s', text => {
    expect(parseTime(text)).toBeUndefined()
  })
})
