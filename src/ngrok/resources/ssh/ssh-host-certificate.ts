import { collection } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { certificate, certificateFields, checkDuration } from './certificate.ts'

export const sshHostCertificates = collection({
  name: 'ssh_host_certificate',
  table: 'ssh_host_certificates',
  label: 'SSH host certificate',
  path: '/ssh_host_certificates',
  prefix: 'shcrt',
  section: '10.24',
  listAs: 'ssh_host_certificates',
  event: 'ssh_host_certificate',
  fields: {
    ...described({ description: errors.ssh_host_description_too_long, metadata: errors.ssh_host_metadata_too_long }),
    ...certificateFields('host', errors.ssh_host_authority_missing),
    certificate: certificate('host'),
  },
  check(row, before, { fail }) {
    if (!before) checkDuration(row, errors.ssh_host_duration, fail)
  },
})
