import {
  derived,
  formatTime,
  listOf,
  type MissingError,
  made,
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
import { certifiedKey, readPublicKey } from './public-key.ts'
import { drawBytes, signingKeyOf } from './signing-key.ts'
import { options, string, strings, uint32, uint64 } from './wire.ts'

const DAY = 24 * 60 * 60 * 1000

/** Who shows a certificate, with its number in one, and how long it is valid unless a request says. */
const SUBJECTS = { user: { number: 1, validFor: DAY }, host: { number: 2, validFor: 365 * DAY } }
type Subject = keyof typeof SUBJECTS

/** What a request may give, and an update never changes. */
export const optional = { asked: true, createOnly: true } as const
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
    holds: 'certificate',
  }),
  key_type: derived(({ public_key: key }) => readPublicKey(key as string).keyType),
  principals: value(listOf(textShape()), { default: [], createOnly: true, holds: 'name' }),
  valid_after: made(({ at }) => at, time('2026-01-01T00:00:00Z')),
  valid_until: made(
    ({ given }) => formatTime(upToLatest(msOf(given.valid_after) + SUBJECTS[subject].validFor)),
    time('2099-01-01T00:00:00Z'),
  ),
})

/** Signed once, when all that it says is known: it comes after the other fields. */
export const certificate = (subject: Subject) =>
  made(
    ({ id, given, get }) => {
      const authority = get('ssh_certificate_authorities', given.ssh_certificate_authority_id as string)
      return authority && issue(subject, { ...given, id }, authority)
    },
    { holds: 'certificate' },
  )

/** A certificate as OpenSSH defines it (PROTOCOL.certkeys), with the id as the name of the key. Serial numbers are 0. */
function issue(subject: Subject, row: Row, authority: Row): string {
  const key = signingKeyOf(authority)
  const { type, parts } = readPublicKey(row.public_key as string)
  const name = `${type}-cert-v01@openssh.com`
  const contents = Buffer.concat([
    strings(name, drawBytes(32, `SSH certificate ${row.id}`), ...parts),
    uint64(0),
    uint32(SUBJECTS[subject].number),
    strings(row.id, strings(...(row.principals as string[]))),
    uint64(secondsOf(row.valid_after)),
    uint64(secondsOf(row.valid_until)),
    string(options((row.critical_options ?? {}) as Record<string, string>)),
    string(options((row.extensions ?? {}) as Record<string, string>)),
    string(''),
    string(key.publicKey),
  ])
  const signed = Buffer.concat([contents, string(key.sign(contents))])
  return `${name} ${signed.toString('base64')} ${row.id}`
}

/** Since 1970, before which no certificate can begin or end. */
const secondsOf = (text: unknown) => Math.max(0, msOf(text) / 1000)

/** Fails if a certificate would end before it begins. */
export function checkDuration(
  { valid_after: after, valid_until: until }: Row,
  error: 'ssh_host_duration' | 'ssh_user_duration',
  fail: RuleContext['fail'],
) {
  if (msOf(until) > msOf(after)) return
  fail(error, { field: 'valid_until', after: after as string, until: until as string })
}
