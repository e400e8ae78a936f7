import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseTime, toStoredTime } from '../../../src/engine/language/time.ts'

interface Times {
  stored: [given: string, stored: string][]
  rejected: string[]
}

const { stored, rejected }: Times = parse(readFileSync(new URL('time.yaml', import.meta.url), 'utf8'))

describe('A time', () => {
  it.each(stored)('%s is stored as %s', (given, stored) => {
    expect(toStoredTime(given)).toBe(stored)
  })

  it.each(rejected)('cannot be %s', text => {
    expect(parseTime(text)).toBeUndefined()
  })
})
