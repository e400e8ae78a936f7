import { nearest } from '../../basics/nearest.ts'
import { collection, listOf, objectOf, references, text, textShape, value } from '../../schema/index.ts'
import { eventTypes } from './event-types.ts'

const type = textShape({ enum: [...eventTypes] }, given => {
  if (eventTypes.includes(given)) return undefined
  const near = nearest(given, eventTypes)
  const expected = near ? 'the type of an event' : `one of ${eventTypes.join(', ')}`
  return { error: 'bad_event_type', expected, near }
})

/** Publishes events of some types to some destinations. docs/api.md 10.16. */
export const eventSubscriptions = collection({
  name: 'event_subscription',
  table: 'event_subscriptions',
  label: 'event subscription',
  path: '/event_subscriptions',
  prefix: 'esb',
  section: '10.16',
  listAs: 'event_subscriptions',
  event: 'event_subscription',
  neighbour: true,
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    destination_ids: references('event_destinations', { missing: 'bad_reference', shownAs: 'destinations' }),
    sources: value(listOf(objectOf<{ type: string }>({ type: { shape: type, required: true } })), { default: [] }),
  },
})
