import { hash } from 'node:crypto'
import { isObject } from '../../../basics/json.ts'
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
} from '../../../engine/language/index.ts'
import { issueCertificate } from '../../certificates/issue.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

/** Delay until the provisioning job is shown. */
const SHOWN_AFTER = 3 * SECOND
/** Delay until provisioning succeeds or fails. */
const PROVISIONED_AFTER = 30 * SECOND
const RETRIES_AFTER = 60 * 60 * SECOND
const VALID_FOR = 90 * DAY
const RENEWED_BEFORE_END = 30 * DAY

export const managementPolicy = (keyType: 'ecdsa' | 'rsa') => ({
  authority: choice(['letsencrypt'], { error: errors.bad_authority, required: errors.bad_authority }),
  private_key_type: choice(['ecdsa', 'rsa'], { error: errors.bad_key_type, default: keyType }),
})

/** Clients send the policy with every update, so an unchanged policy has no effect. */
export const isSamePolicy = (policy: unknown, { certificate_management_policy: before }: Row) =>
  JSON.stringify(policy) === JSON.stringify(before)

/** The provisioning status in a response. */
function statusIn({ certificate_management_status: status }: Record<string, unknown>) {
  const { renews_at, provisioning_job: job } = isObject(status) ? status : {}
  return { renews_at, job: isObject(job) ? job : undefined }
}

/** The provisioning state, which only the row contains. */
export const provisioning = {
  provisioning: {
    ...choice(['pending'], { error: errors.invalid_value }),
    fromResponse: (reply: Record<string, unknown>) => statusIn(reply).job && 'pending',
  },
  provisioning_started_at: value(timestamp(), { fromResponse: reply => statusIn(reply).job?.started_at }),
  provisioning_retries_at: value(timestamp(), { fromResponse: reply => statusIn(reply).job?.retries_at }),
  renews_at: value(timestamp(), { fromResponse: reply => statusIn(reply).renews_at }),
}

/** A row with a managed certificate, of a domain or of an agent ingress. */
interface Managed extends Row {
  domain: string
  certificate_management_policy?: { private_key_type: 'rsa' | 'ecdsa' }
  provisioning?: 'pending'
  provisioning_started_at?: string
  provisioning_retries_at?: string
  renews_at?: string
  cname_target?: string
  ns_targets?: string[]
}

/** The state after create with a policy. */
export const started = (now: number) => ({ provisioning: 'pending', provisioning_started_at: formatTime(now) })

/** The state after a policy change. */
export const restarted = (now: number) => ({ ...started(now), provisioning_retries_at: null, renews_at: null })

/** The state without a policy. */
export const unmanaged = {
  certificate_management_policy: null,
  provisioning: null,
  provisioning_started_at: null,
  provisioning_retries_at: null,
  renews_at: null,
}

/** Shows the job while it runs and after a failure, then the renewal time. */
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
    (_values, given, { now }) => {
      const row = given as Managed
      if (row.provisioning === undefined) return row.renews_at && { renews_at: row.renews_at }
      const { provisioning_started_at: started_at, provisioning_retries_at: retries_at } = row
      if (retries_at)
        return { provisioning_job: { error_code: 'DNS_ERROR', msg: noRecordFor(row), started_at, retries_at } }
      if (now() < parseTime(started_at!)! + SHOWN_AFTER) return undefined
      return { provisioning_job: { msg: `Requesting a certificate for ${row.domain}.`, started_at } }
    },
    { shape, group: members, unset: 'null', dependsOnOthers: true, describe: 'Progress of certificate provisioning' },
  )
}

const noRecordFor = ({ domain, cname_target, ns_targets }: Managed) =>
  ns_targets
    ? `The DNS of ${domain} has no NS records that name ${ns_targets.join(', ')}.`
    : `The DNS of ${domain} has no CNAME record that points to ${cname_target}.`

/** A fixture may have a pending certificate without a policy. */
const keyTypeOf = ({ certificate_management_policy: policy }: Managed) => policy?.private_key_type ?? 'ecdsa'

/** Issues the certificate or fails, when it is due. `issue` returns the values that refer to it. */
export function provision(
  row: Managed,
  { now, assume }: RuleContext,
  issue: (from: number, end: number) => object = () => ({}),
): Row {
  const startedAt = parseTime(row.provisioning_started_at!)!
  const dueAt = row.provisioning_retries_at ? parseTime(row.provisioning_retries_at)! : startedAt + PROVISIONED_AFTER
  if (now() < dueAt) return row
  if (assume(questions.certificate_provisioning) === 'fails')
    return { ...row, provisioning_retries_at: formatTime(upToLatest(now() + RETRIES_AFTER)) }
  const from = now()
  const end = upToLatest(from + VALID_FOR)
  const { provisioning: _done, provisioning_started_at: _start, provisioning_retries_at: _retry, ...rest } = row
  return { ...rest, ...issue(from, end), renews_at: formatTime(end - RENEWED_BEFORE_END) } as Row
}

/** A reserved domain's certificate is a separate record. */
export const provisionRecord = (row: Managed, context: RuleContext): Row =>
  provision(row, context, (from, end) => {
    const { certificate_pem } = issueCertificate({
      domain: row.domain,
      private_key_type: keyTypeOf(row),
      not_before: formatTime(from),
      not_after: formatTime(end),
      issuer: "Let's Encrypt (simulated)",
      serial: `0${hash('sha256', `${row.id} ${formatTime(from)}`).slice(0, 31)}`,
    })
    return { certificate_id: context.createAlso('tls_certificates', { certificate_pem }).id }
  })
