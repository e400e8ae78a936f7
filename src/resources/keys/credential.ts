import { collection, listOf, textShape, value } from '../../schema/index.ts'
import { owned, ownedFields } from './owned.ts'

/** What the rule binds is a domain, an address or labels: any text without spaces. */
const RULE = /^(?:\*|bind:\S+)$/

const rule = textShape({ pattern: RULE.source, examples: ['bind:www.example.com'] }, text =>
  RULE.test(text) ? undefined : { error: 'bad_acl_rule', expected: '"*", or "bind:" and what may be bound' },
)

/** What a credential may be used for. */
export const acl = value(listOf(rule), { default: [], content: 'host' })

/** A credential lets an agent start tunnels, of which there are none here. docs/api.md 10.11. */
export const credentials = collection({
  ...owned,
  name: 'credential',
  table: 'credentials',
  label: 'credential',
  path: '/credentials',
  prefix: 'cr',
  section: '10.11',
  neighbour: true,
  listAs: 'credentials',
  event: 'tunnel_credential',
  filterable: ['id', 'created_at', 'description', 'metadata', 'owner_id', 'acl'],
  fields: { ...ownedFields, acl },
  errors: { noValues: 'credential_update_empty' },
})
