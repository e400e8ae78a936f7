import { flag, record, textShape, value } from '../../schema/index.ts'

/** The tables of those who may own keys and credentials. */
export const OWNERS = ['users', 'bots', 'service_users']

/** A user owns keys. Only fixtures have users. docs/api.md 5. */
export const users = record({
  name: 'user',
  table: 'users',
  label: 'user',
  prefix: 'usr',
  section: '5',
  fields: { name: value(textShape(), { content: 'name' }), admin: flag({ default: false }) },
})
