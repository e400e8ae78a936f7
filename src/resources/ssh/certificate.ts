import { issueSshCertificate, type Subject } from '../../certificates/ssh/issue.ts'
import { certifiedKey, readPublicKey } from '../../certificates/ssh/public-key.ts'
import {
  derived,
  formatTime,
  generated,
  listOf,
  type MissingError,
  parseTime,
  type Row,
  type RuleContext,
  reference,
  textShape,
  timestamp,
  toStoredTime,
  upToLatest,
  type ValueError,
  value,
} from '../../schema/index.ts'

const DAY = 24 * 60 * 60 * 1000

/** How long a certificate is valid unless a request says. */
const VALID_FOR: Record<Subject, number> = { user: DAY, host: 365 * DAY }

/** What a request may give, and an update never changes. */
export const optional = { acceptsInput: true, createOnly: true } as const
const time = (example: string) => ({
  ...optional,
  shape: timestamp({ examples: [example] }),
  normalise: (text: unknown) => toStoredTime(text as string),
})
const msOf = (text: unknown) => parseTime(text as string)!

/** What certificates of hosts and users have in common. The error is for an authority that does not exist. */
export const certificateFields = (subject: Subject, noAuthority: MissingError & ValueError) => ({
  ssh_certificate_authority_id: reference(['ssh_certificate_authorities'], {
    required: noAuthority,
    missing: noAuthority,
    createOnly: true,
    whenDeleted: 'ssh_authority_used',
  }),
  public_key: value(certifiedKey, {
    required: 'ssh_certified_key_missing',
    createOnly: true,
    content: 'certificate',
  }),
  key_type: derived(({ public_key: key }) => readPublicKey(key as string).keyType),
  principals: value(listOf(textShape()), { default: [], createOnly: true, content: 'name' }),
  valid_after: generated(({ at }) => at, time('2026-01-01T00:00:00Z')),
  valid_until: generated(
    ({ given }) => formatTime(upToLatest(msOf(given.valid_after) + VALID_FOR[subject])),
    time('2099-01-01T00:00:00Z'),
  ),
})

/** Signed once, when all that it says is known: it comes after the other fields. */
export const certificate = (subject: Subject) =>
  generated(
    ({ id, given, get }) => {
      const authority = get('ssh_certificate_authorities', given.ssh_certificate_authority_id as string)
      return authority && issueSshCertificate(subject, { ...given, id }, authority)
    },
    { content: 'certificate' },
  )

/** Fails if a certificate would end before it begins. */
export function checkDuration(
  { valid_after: after, valid_until: until }: Row,
  error: 'ssh_host_duration' | 'ssh_user_duration',
  fail: RuleContext['fail'],
) {
  if (msOf(until) > msOf(after)) return
  fail(error, { field: 'valid_until', after: after as string, until: until as string })
}
