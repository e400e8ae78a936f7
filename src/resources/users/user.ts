import { flag, record, textShape, value } from '../../schema/index.ts'

/** The tables of those who may own keys. */
export const OWNERS = ['users', 'bots']

const fields = { name: value(textShape()), admin: flag({ default: false }) }

/** A user owns keys. docs/api.md 5. */
export const users = record({ name: 'user', table: 'users', label: 'user', prefix: 'usr', section: '5', fields })

/** A bot owns keys too, and may be an admin too. docs/api.md 5. */
export const bots = record({ name: 'bot', table: 'bots', label: 'bot', prefix: 'bot', section: '5', fields })
