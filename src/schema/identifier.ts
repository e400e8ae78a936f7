import { text } from './shape.ts'
import { parseTime, TIME } from './time.ts'

const REST = /^[A-Za-z0-9_-]{1,64}$/

/** Ids start with the prefix of their kind: `ak_…` is an API key wherever it appears. */
export const isIdentifier = (prefix: string, id: string) =>
  id.startsWith(`${prefix}_`) && REST.test(id.slice(prefix.length + 1))

export const looksLikeIdentifier = (id: string) => /^[a-z]+_[A-Za-z0-9_-]{1,64}$/.test(id)

export const identifier = (prefix: string) =>
  text({ pattern: `^${prefix}_[A-Za-z0-9_-]{1,64}$` }, value =>
    isIdentifier(prefix, value)
      ? undefined
      : { expected: `an id that starts with ${prefix}_, then 1 to 64 of A-Z a-z 0-9 _ -` },
  )

export const timestamp = () =>
  text({ format: 'date-time' }, value => (parseTime(value) === undefined ? { expected: TIME } : undefined))
