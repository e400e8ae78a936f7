import { collection, group } from '../../../engine/language/index.ts'
import { optionalText, time } from './members.ts'

export const applicationUsers = collection({
  name: 'application_user',
  table: 'application_users',
  label: 'application user',
  path: '/app/users',
  prefix: 'appusr',
  section: '10.22',
  listAs: 'application_users',
  only: ['list', 'get', 'delete'],
  fields: {
    identity_provider: group({ name: optionalText('name'), url: optionalText('url') }, { default: {} }),
    provider_user_id: optionalText('name'),
    username: optionalText('name'),
    email: optionalText('email'),
    name: optionalText('name'),
    last_active: time(),
    last_login: time(),
  },
})
