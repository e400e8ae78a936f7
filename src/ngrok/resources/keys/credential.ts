import { collection, listOf, textShape, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { owned, ownedFields } from './owned.ts'

/** A rule binds a domain, an address or labels, without spaces. */
const RULE = /^(?:\*|bind:\S+)$/

const rule = textShape({ pattern: RULE.source, examples: ['bind:www.example.com'] }, text =>
  RULE.test(text)
    ? undefined
    : { error: errors.bad_acl_rule, expected: '"*", or "bind:" followed by a domain, address or labels' },
)

export const acl = value(listOf(rule), {
  default: [],
  content: 'host',
  describe: 'Rules: * or bind: followed by a domain, address or labels',
})

export const credentials = collection({
  ...owned,
  name: 'credential',
  table: 'credentials',
  label: 'credential',
  path: '/credentials',
  prefix: 'cr',
  section: '10.11',
  listAs: 'credentials',
  event: 'tunnel_credential',
  filterable: ['id', 'created_at', 'description', 'metadata', 'owner_id', 'acl'],
  fields: { ...ownedFields, acl },
  errors: { noValues: errors.credential_update_empty },
})
