import { nearest } from '../../basics/nearest.ts'
import { derived, entries, textShape, value } from '../../schema/index.ts'
import { eventTypes } from './event-types.ts'

const type = textShape({ enum: [...eventTypes] }, given => {
  if (eventTypes.includes(given)) return undefined
  const near = nearest(given, eventTypes)
  const expected = near ? 'the type of an event' : `one of ${eventTypes.join(', ')}`
  return { error: 'bad_event_type', expected, near }
})

/** What a subscription publishes: the type is all there is of a source. */
export const sourceFields = {
  type: value(type, { required: 'bad_event_type' }),
  uri: derived(({ type }, { id }, { baseUrl }) => `${baseUrl}/event_subscriptions/${id}/sources/${type}`),
}

/** A source of a subscription by its own path. docs/api.md 10.16. */
export const eventSources = entries({
  name: 'event_source',
  label: 'event source',
  section: '10.16',
  neighbour: true,
  by: 'type',
  of: { table: 'event_subscriptions', key: 'sources', parameter: 'subscription_id' },
  // An update of the subscription replaces its sources; one of a source changes nothing.
  fields: { ...sourceFields, type: { ...sourceFields.type, createOnly: true } },
  missing: 'source_not_found',
})
