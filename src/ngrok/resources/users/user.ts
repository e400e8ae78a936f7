import { flag, record, textShape, value } from '../../../engine/language/index.ts'

/** The tables of owners of keys and credentials. */
export const OWNERS = ['users', 'bots', 'service_users']

/** Only fixtures contain users. */
export const users = record({
  name: 'user',
  table: 'users',
  label: 'user',
  prefix: 'usr',
  section: '5',
  fields: { name: value(textShape(), { content: 'name' }), admin: flag({ default: false }) },
})
