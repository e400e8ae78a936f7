import {
  derived,
  formatTime,
  type Given,
  generated,
  listOf,
  type MissingError,
  parseTime,
  type RuleContext,
  reference,
  textShape,
  timestamp,
  toStoredTime,
  upToLatest,
  type ValueError,
  value,
} from '../../../engine/language/index.ts'
import { type Certified, issueSshCertificate, type Subject } from '../../certificates/ssh/issue.ts'
import { certifiedKey, readPublicKey } from '../../certificates/ssh/public-key.ts'
import { errors } from '../../errors.ts'

const DAY = 24 * 60 * 60 * 1000

/** Default validity. */
const VALID_FOR: Record<Subject, number> = { user: DAY, host: 365 * DAY }

export const optional = { acceptsInput: true, createOnly: true } as const
const time = (example: string, describe: string) => ({
  ...optional,
  describe,
  shape: timestamp({ examples: [example] }),
  normalise: toStoredTime,
})
const msOf = (text: string) => parseTime(text)!

/** The fields of host and user certificates. The error is for an unknown authority. */
export const certificateFields = (subject: Subject, noAuthority: MissingError & ValueError) => ({
  ssh_certificate_authority_id: reference(['ssh_certificate_authorities'], {
    required: noAuthority,
    missing: noAuthority,
    createOnly: true,
    whenDeleted: errors.ssh_authority_used,
  }),
  public_key: value(certifiedKey, {
    required: errors.ssh_certified_key_missing,
    createOnly: true,
    content: 'certificate',
    describe: 'RSA, ECDSA or Ed25519 key in OpenSSH format',
  }),
  key_type: derived(({ public_key: key }: { public_key: string }) => readPublicKey(key).keyType),
  principals: value(listOf(textShape()), {
    default: [],
    createOnly: true,
    content: 'name',
    describe: `Names of the ${subject} (empty means all)`,
  }),
  valid_after: generated(({ at }) => at, time('2026-01-01T00:00:00Z', 'Now by default')),
  valid_until: generated(
    ({ given }: Given<{ valid_after: string }>) => formatTime(upToLatest(msOf(given.valid_after) + VALID_FOR[subject])),
    time('2099-01-01T00:00:00Z', `${subject === 'host' ? 'A year' : '24 hours'} after valid_after by default`),
  ),
})

/** Signed on create. Must be declared after the other fields. */
export const certificate = (subject: Subject) =>
  generated(
    ({ id, given, get }: Given<Certified & { ssh_certificate_authority_id: string }>) => {
      const authority = get('ssh_certificate_authorities', given.ssh_certificate_authority_id)
      return authority && issueSshCertificate(subject, { ...given, id }, authority)
    },
    { content: 'certificate', describe: 'One line, for a file such as id_ed25519-cert.pub' },
  )

export function checkDuration(
  { valid_after: after, valid_until: until }: { valid_after: string; valid_until: string },
  error: typeof errors.ssh_host_duration,
  fail: RuleContext['fail'],
) {
  if (msOf(until) > msOf(after)) return
  fail(error, { field: 'valid_until', after, until })
}
