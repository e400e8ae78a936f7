import { collection, value } from '../../../engine/language/index.ts'
import { agentKey } from '../../certificates/ssh/public-key.ts'
import { errors } from '../../errors.ts'
import { acl } from '../keys/credential.ts'
import { ownedFields, ownerOf } from '../keys/owned.ts'

/** The key without its type, comment and spaces. */
const keyIn = (text: unknown) =>
  String(text)
    .trim()
    .split(/[ \t]+/)[1]

export const sshCredentials = collection({
  name: 'ssh_credential',
  table: 'ssh_credentials',
  label: 'SSH credential',
  path: '/ssh_credentials',
  prefix: 'sshcr',
  section: '10.24',
  listAs: 'ssh_credentials',
  event: 'ssh_public_key',
  filterable: ['id', 'created_at', 'description', 'metadata', 'owner_id', 'acl'],
  ownedBy: 'owner_id',
  fields: {
    ...ownedFields,
    acl,
    public_key: value(agentKey, {
      required: errors.ssh_key_missing,
      createOnly: true,
      content: 'certificate',
      describe: 'OpenSSH format, unique in the account',
    }),
  },
  errors: { noValues: errors.credential_update_empty },
  onCreate: (given, context) => ({ row: { owner_id: ownerOf(given, context) } }),
  check(row, before, { tables, fail }) {
    if (before) return
    for (const { id, public_key: other } of tables.all('ssh_credentials'))
      if (keyIn(other) === keyIn(row.public_key)) fail(errors.ssh_key_taken, { field: 'public_key', existing: id })
  },
})
