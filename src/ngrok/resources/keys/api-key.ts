import { collection } from '../../../engine/language/index.ts'
import { owned, ownedFields } from './owned.ts'

export const apiKeys = collection({
  ...owned,
  name: 'api_key',
  table: 'api_keys',
  label: 'API key',
  path: '/api_keys',
  prefix: 'ak',
  section: '4.1',
  listAs: 'keys',
  event: 'api_key',
  filterable: ['id', 'created_at', 'description', 'metadata', 'owner_id'],
  fields: ownedFields,
})
