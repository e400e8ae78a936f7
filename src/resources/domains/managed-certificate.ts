import { hash } from 'node:crypto'
import { isObject } from '../../basics/json.ts'
import { issueCertificate } from '../../certificates/issue.ts'
import {
  choice,
  derived,
  formatTime,
  group,
  parseTime,
  type Row,
  type RuleContext,
  textShape,
  timestamp,
  upToLatest,
  value,
} from '../../schema/index.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

/** How long after the policy is set the work on a certificate is shown. */
const SHOWN_AFTER = 3 * SECOND
/** How long it takes to get a certificate, or to fail. */
const TAKES = 30 * SECOND
const RETRIES_AFTER = 60 * 60 * SECOND
const VALID_FOR = 90 * DAY
const RENEWED_BEFORE_END = 30 * DAY

/** Who gets the certificate of a domain, and of which kind. */
export const managementPolicy = (usual: 'ecdsa' | 'rsa') => ({
  authority: choice(['letsencrypt'], { error: 'bad_authority', required: 'bad_authority' }),
  private_key_type: choice(['ecdsa', 'rsa'], { error: 'bad_key_type', default: usual }),
})

/** Clients send the policy with every update: the same one starts nothing. */
export const isSamePolicy = (policy: unknown, { certificate_management_policy: before }: Row) =>
  JSON.stringify(policy) === JSON.stringify(before)

/** What an answer with a domain tells of the work on its certificate. */
function statusIn({ certificate_management_status: status }: Record<string, unknown>) {
  const { renews_at, provisioning_job: job } = isObject(status) ? status : {}
  return { renews_at, job: isObject(job) ? job : undefined }
}

/** What only the row has: how far the certificate is. */
export const provisioning = {
  /** A certificate is still to come. */
  provisioning: {
    ...choice(['pending'], { error: 'invalid_value' }),
    fromResponse: (reply: Record<string, unknown>) => statusIn(reply).job && 'pending',
  },
  provisioning_started_at: value(timestamp(), { fromResponse: reply => statusIn(reply).job?.started_at }),
  /** It failed, and is tried again then. */
  provisioning_retries_at: value(timestamp(), { fromResponse: reply => statusIn(reply).job?.retries_at }),
  renews_at: value(timestamp(), { fromResponse: reply => statusIn(reply).renews_at }),
}

/** The values of a domain that is created with a policy. */
export const started = (now: number) => ({ provisioning: 'pending', provisioning_started_at: formatTime(now) })

/** The values of a domain that got another policy. */
export const restarted = (now: number) => ({ ...started(now), provisioning_retries_at: null, renews_at: null })

/** The values of a domain without a policy. */
export const unmanaged = {
  certificate_management_policy: null,
  provisioning: null,
  provisioning_started_at: null,
  provisioning_retries_at: null,
  renews_at: null,
}

/** The job is shown while it runs and after it failed; afterwards, when the certificate will be renewed. */
export const managementStatus = () => {
  const { group: members, shape } = group({
    renews_at: value(timestamp(), { unset: 'null' }),
    provisioning_job: group({
      error_code: value(textShape(), { unset: 'null' }),
      msg: value(textShape()),
      started_at: value(timestamp()),
      retries_at: value(timestamp(), { unset: 'null' }),
    }),
  })
  return derived(
    (_values, row, { now }) => {
      if (row.provisioning === undefined) return row.renews_at && { renews_at: row.renews_at }
      const { provisioning_started_at: started_at, provisioning_retries_at: retries_at } = row
      if (retries_at)
        return { provisioning_job: { error_code: 'DNS_ERROR', msg: noRecordFor(row), started_at, retries_at } }
      if (now() < parseTime(started_at as string)! + SHOWN_AFTER) return undefined
      return { provisioning_job: { msg: `Requesting a certificate for ${row.domain}.`, started_at } }
    },
    { shape, group: members, unset: 'null', dependsOnOthers: true },
  )
}

const noRecordFor = ({ domain, cname_target, ns_targets }: Row) =>
  ns_targets
    ? `The DNS of ${domain} has no NS records that name ${(ns_targets as string[]).join(', ')}.`
    : `The DNS of ${domain} has no CNAME record that points to ${cname_target}.`

/** A fixture may have a certificate on its way without a policy. */
const keyTypeOf = ({ certificate_management_policy: policy }: Row) =>
  (policy as { private_key_type: 'rsa' | 'ecdsa' } | undefined)?.private_key_type ?? 'ecdsa'

/** Gets the certificate, or fails to, once it is time. `issue` gives the values that show it. */
export function provision(
  row: Row,
  { now, assume }: RuleContext,
  issue: (from: number, end: number) => object = () => ({}),
): Row {
  const startedAt = parseTime(row.provisioning_started_at as string)!
  const dueAt = row.provisioning_retries_at ? parseTime(row.provisioning_retries_at as string)! : startedAt + TAKES
  if (now() < dueAt) return row
  if (assume('certificate_provisioning') === 'fails')
    return { ...row, provisioning_retries_at: formatTime(upToLatest(now() + RETRIES_AFTER)) }
  const from = now()
  const end = upToLatest(from + VALID_FOR)
  const { provisioning: _done, provisioning_started_at: _start, provisioning_retries_at: _retry, ...rest } = row
  return { ...rest, ...issue(from, end), renews_at: formatTime(end - RENEWED_BEFORE_END) } as Row
}

/** The certificate of a reserved domain is a record of its own. */
export const provisionRecord = (row: Row, context: RuleContext): Row =>
  provision(row, context, (from, end) => {
    const { certificate_pem } = issueCertificate({
      domain: row.domain as string,
      private_key_type: keyTypeOf(row),
      not_before: formatTime(from),
      not_after: formatTime(end),
      issuer: "Let's Encrypt (simulated)",
      serial: `0${hash('sha256', `${row.id} ${formatTime(from)}`).slice(0, 31)}`,
    })
    return { certificate_id: context.createAlso('tls_certificates', { certificate_pem }).id }
  })
