import { collection, value } from '../../../engine/language/index.ts'
import { authorityPem, checkAccepted } from '../../certificates/shapes.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { commonMembers } from './members.ts'

export const certificateAuthorities = collection({
  name: 'certificate_authority',
  table: 'certificate_authorities',
  label: 'certificate authority',
  path: '/certificate_authorities',
  prefix: 'ca',
  section: '10.14',
  listAs: 'certificate_authorities',
  event: 'certificate_authority',
  filterable: ['id', 'created_at', 'description', 'metadata', 'subject_common_name', 'not_before', 'not_after'],
  fields: {
    ...described(),
    ca_pem: value(authorityPem, {
      required: errors.authority_missing,
      createOnly: true,
      content: 'certificate',
      describe: 'One CA certificate in PEM',
    }),
    ...commonMembers('ca_pem'),
  },
  onCreate({ ca_pem: pem }, { fail }) {
    checkAccepted('ca_pem', pem!, fail)
    return { row: {} }
  },
})
