import { collection, described, generated, labels, mapOf, textShape } from '../../schema/index.ts'
import { certificate, certificateFields, checkDuration, optional } from './certificate.ts'

/** By it, a host knows a user. docs/api.md 10.24. */
export const sshUserCertificates = collection({
  name: 'ssh_user_certificate',
  table: 'ssh_user_certificates',
  label: 'SSH user certificate',
  path: '/ssh_user_certificates',
  prefix: 'sucrt',
  section: '10.24',
  neighbour: true,
  listAs: 'ssh_user_certificates',
  event: 'ssh_user_certificate',
  fields: {
    ...described({ description: 'ssh_user_description_too_long', metadata: 'ssh_user_metadata_too_long' }),
    ...certificateFields('user', 'ssh_user_authority_missing'),
    critical_options: labels({ default: {}, createOnly: true }),
    extensions: generated(() => ({ 'permit-pty': '', 'permit-user-rc': '' }), {
      ...optional,
      shape: mapOf(textShape()),
      content: 'name',
    }),
    certificate: certificate('user'),
  },
  check(row, before, { fail }) {
    if (!before) checkDuration(row, 'ssh_user_duration', fail)
  },
})
