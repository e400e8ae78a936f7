import { collection, secret, value } from '../../../engine/language/index.ts'
import { certificatePem, checkAccepted, isPair, privateKeyPem } from '../../certificates/shapes.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { commonMembers, serverMembers } from './members.ts'

export const tlsCertificates = collection({
  name: 'tls_certificate',
  table: 'tls_certificates',
  label: 'TLS certificate',
  path: '/tls_certificates',
  prefix: 'cert',
  section: '10.14',
  listAs: 'tls_certificates',
  event: 'tls_certificate',
  filterable: [
    'id',
    'created_at',
    'description',
    'metadata',
    'subject_common_name',
    'not_after',
    'not_before',
    'serial_number',
  ],
  fields: {
    ...described(),
    certificate_pem: value(certificatePem, {
      required: errors.certificate_missing,
      createOnly: true,
      content: 'certificate',
      describe: 'Certificate chain in PEM, the server certificate first, each signed by the next',
    }),
    private_key_pem: secret(privateKeyPem, {
      required: errors.private_key_missing,
      createOnly: true,
      describe: 'Unencrypted RSA, ECDSA or Ed25519 key of the certificate',
    }),
    ...commonMembers('certificate_pem'),
    ...serverMembers('certificate_pem'),
  },
  alwaysNull: ['issued_at'],
  onCreate({ certificate_pem: certificate, private_key_pem: key }, { fail }) {
    checkAccepted('certificate_pem', certificate!, fail)
    if (!isPair(certificate!, key!))
      fail(errors.key_of_another, { field: 'private_key_pem', certificate: 'certificate_pem' })
    return { row: {} }
  },
})
