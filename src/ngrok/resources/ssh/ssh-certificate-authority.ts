import { choice, collection, derived, generated, type Shape, toProblems } from '../../../engine/language/index.ts'
import { publicKeyIn, rsaBitsOf } from '../../certificates/ssh/public-key.ts'
import { CURVES, KEY_SIZES, KEY_TYPES, signingKeyOf } from '../../certificates/ssh/signing-key.ts'
import { textOf } from '../../certificates/ssh/wire.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { optional } from './certificate.ts'

const { shape: curve } = choice(Object.keys(CURVES), { error: errors.bad_ssh_curve })
const keySize: Shape<number> = {
  find(size) {
    if (KEY_SIZES.some(each => each === size)) return undefined
    const error = typeof size === 'number' ? errors.bad_ssh_key_size : undefined
    return toProblems(size, { error, expected: `one of ${KEY_SIZES.join(', ')}` })
  },
  json: { type: 'integer', enum: KEY_SIZES },
}

/** Key settings, which only the row contains. */
const hidden = { ...optional, notShown: true } as const

const curveOf = (key: unknown) =>
  Object.entries(CURVES).find(([, { name }]) => publicKeyIn(key)?.type === `ecdsa-sha2-${name}`)?.[0]

export const sshCertificateAuthorities = collection({
  name: 'ssh_certificate_authority',
  table: 'ssh_certificate_authorities',
  label: 'SSH certificate authority',
  path: '/ssh_certificate_authorities',
  prefix: 'sshca',
  section: '10.24',
  listAs: 'ssh_certificate_authorities',
  event: 'ssh_certificate_authority',
  filterable: ['id', 'created_at', 'description', 'metadata'],
  fields: {
    ...described({
      description: errors.ssh_authority_description_too_long,
      metadata: errors.ssh_authority_metadata_too_long,
    }),
    private_key_type: {
      ...choice(KEY_TYPES, { error: errors.bad_ssh_key_type, default: 'ed25519', createOnly: true }),
      notShown: true,
      fromResponse: ({ key_type }) => key_type,
      describe: 'Shown as key_type',
    },
    elliptic_curve: generated(({ given }) => (given.private_key_type === 'ecdsa' ? 'p256' : undefined), {
      ...hidden,
      describe: 'Only for ecdsa, p256 by default',
      shape: curve,
      fromResponse: ({ public_key }) => curveOf(public_key),
    }),
    key_size: generated(({ given }) => (given.private_key_type === 'rsa' ? 2048 : undefined), {
      ...hidden,
      describe: 'Only for rsa, 2048 by default',
      shape: keySize,
      fromResponse: ({ public_key }) => rsaBitsOf(public_key),
    }),
    public_key: derived((_values, row) => textOf(signingKeyOf(row).publicKey), { describe: 'OpenSSH format' }),
    key_type: derived(({ private_key_type: type }) => type),
  },
  onCreate({ private_key_type: type = 'ed25519', elliptic_curve, key_size }, { fail }) {
    if (key_size !== undefined && type !== 'rsa') fail(errors.ssh_key_size_without_rsa, { field: 'key_size', type })
    if (elliptic_curve !== undefined && type !== 'ecdsa')
      fail(errors.ssh_curve_without_ecdsa, { field: 'elliptic_curve', type })
    return { row: {} }
  },
})
