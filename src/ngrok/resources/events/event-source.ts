import { nearest } from '../../../basics/nearest.ts'
import { derived, entries, textShape, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { eventTypes } from './event-types.ts'

const type = textShape({ enum: [...eventTypes] }, given => {
  if (eventTypes.includes(given)) return undefined
  const near = nearest(given, eventTypes)
  const expected = near ? 'an event type' : `one of ${eventTypes.join(', ')}`
  return { error: errors.bad_event_type, expected, near }
})

export const sourceFields = {
  type: value(type, { required: errors.bad_event_type, describe: 'Event type, such as ip_policy_created.v0' }),
  uri: derived(({ type }, { id }, { baseUrl }) => `${baseUrl}/event_subscriptions/${id}/sources/${type}`),
}

export const eventSources = entries({
  name: 'event_source',
  label: 'event source',
  section: '10.16',
  by: 'type',
  of: { table: 'event_subscriptions', key: 'sources', parameter: 'subscription_id' },
  // An update of a source changes nothing.
  fields: { ...sourceFields, type: { ...sourceFields.type, createOnly: true } },
  missing: errors.source_not_found,
})
