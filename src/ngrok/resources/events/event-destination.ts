import type { ValueError } from '../../../basics/problem.ts'
import { choice, collection, type Field, group, secret, textShape, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'

/** An Amazon resource name in any partition, because a published ARN has a partition that is not Amazon's. */
const arn = (service: string, resource: string, example: string): Field<string> => {
  const form = new RegExp(`^arn:[a-z0-9-]+:${service}:[^:]*:[^:]*:${resource}.+$`)
  const shape = textShape({ examples: [example] }, given =>
    form.test(given) ? undefined : { error: errors.bad_arn, expected: `an ARN like ${example}` },
  )
  return value(shape, { required: errors.bad_arn, content: 'name' })
}

const filled = (error: ValueError, content: Field['content'] = 'name', examples?: string[]): Field<string> =>
  value(textShape({ examples }), { required: error, content })
const hidden = (error: ValueError) => secret(textShape(), { required: error })

const auth = group(
  {
    role: group({ role_arn: arn('iam', 'role/', 'arn:aws:iam::123456789012:role/events') }),
    creds: group({
      aws_access_key_id: filled(errors.no_destination_credentials, 'secret'),
      aws_secret_access_key: hidden(errors.no_destination_credentials),
    }),
  },
  {
    required: errors.no_destination_auth,
    describe: 'role or creds',
    oneOf: { none: errors.no_destination_credentials, several: errors.two_destination_auths },
  },
)

const target = group(
  {
    firehose: group({
      auth,
      delivery_stream_arn: arn(
        'firehose',
        'deliverystream/',
        'arn:aws:firehose:us-east-1:123456789012:deliverystream/events',
      ),
    }),
    kinesis: group({
      auth,
      stream_arn: arn('kinesis', 'stream/', 'arn:aws:kinesis:us-east-1:123456789012:stream/events'),
    }),
    cloudwatch_logs: group({
      auth,
      log_group_arn: arn('logs', 'log-group:', 'arn:aws:logs:us-east-1:123456789012:log-group:events'),
    }),
    datadog: group({
      api_key: hidden(errors.no_datadog_key),
      ddtags: value(textShape(), { content: 'name' }),
      service: value(textShape(), { content: 'name' }),
      ddsite: value(textShape(), { content: 'host' }),
    }),
    azure_logs_ingestion: group({
      tenant_id: filled(errors.bad_destination_target),
      client_id: filled(errors.bad_destination_target),
      client_secret: hidden(errors.bad_destination_target),
      logs_ingestion_uri: filled(errors.no_azure_uri, 'url', ['https://events.eastus-1.ingest.monitor.azure.com']),
      data_collection_rule_id: filled(errors.no_azure_rule),
      data_collection_stream_name: filled(errors.no_azure_stream),
    }),
  },
  {
    required: errors.no_destination_target,
    oneOf: { none: errors.no_destination_target, several: errors.two_destination_targets },
    describe: 'An update cannot change the kind of target',
  },
)

export const eventDestinations = collection({
  name: 'event_destination',
  table: 'event_destinations',
  label: 'event destination',
  path: '/event_destinations',
  prefix: 'ed',
  section: '10.16',
  listAs: 'event_destinations',
  event: 'event_destination',
  filterable: ['id', 'created_at', 'description', 'metadata'],
  fields: {
    ...described(),
    format: choice(['json'], { error: errors.bad_event_format, required: errors.bad_event_format }),
    target,
  },
  check(row, before, { fail }) {
    const kinds = [before?.target, row.target].map(each => Object.keys((each ?? {}) as object)[0])
    if (before && kinds[0] !== kinds[1])
      fail(errors.destination_target_fixed, { field: 'target', id: row.id, before: kinds[0]!, received: kinds[1]! })
  },
})
