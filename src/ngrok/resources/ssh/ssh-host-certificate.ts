import { collection } from '../../../engine/language/index.ts'
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
    ...described({ description: 'ssh_host_description_too_long', metadata: 'ssh_host_metadata_too_long' }),
    ...certificateFields('host', 'ssh_host_authority_missing'),
    certificate: certificate('host'),
  },
  check(row, before, { fail }) {
    if (!before) checkDuration(row, 'ssh_host_duration', fail)
  },
})
