import { collection, generated, labels, mapOf, textShape } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { certificate, certificateFields, checkDuration, optional } from './certificate.ts'

export const sshUserCertificates = collection({
  name: 'ssh_user_certificate',
  table: 'ssh_user_certificates',
  label: 'SSH user certificate',
  path: '/ssh_user_certificates',
  prefix: 'sucrt',
  section: '10.24',
  listAs: 'ssh_user_certificates',
  event: 'ssh_user_certificate',
  fields: {
    ...described({ description: errors.ssh_user_description_too_long, metadata: errors.ssh_user_metadata_too_long }),
    ...certificateFields('user', errors.ssh_user_authority_missing),
    critical_options: labels({ default: {}, createOnly: true, describe: 'Such as force-command and source-address' }),
    extensions: generated(() => ({ 'permit-pty': '', 'permit-user-rc': '' }), {
      ...optional,
      shape: mapOf(textShape()),
      content: 'name',
      describe: 'By default, or if empty: permit-pty and permit-user-rc',
    }),
    certificate: certificate('user'),
  },
  check(row, before, { fail }) {
    if (!before) checkDuration(row, errors.ssh_user_duration, fail)
  },
})
