import { anyObject, choice, collection, text, value } from '../../schema/index.ts'

/** Where events are published to. docs/api.md 10.16. */
export const eventDestinations = collection({
  name: 'event_destination',
  table: 'event_destinations',
  label: 'event destination',
  path: '/event_destinations',
  prefix: 'ed',
  section: '10.16',
  listAs: 'event_destinations',
  event: 'event_destination',
  neighbour: true,
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    format: choice(['json'], { error: 'invalid_value', default: 'json' }),
    target: value(anyObject, { default: {} }),
  },
})
