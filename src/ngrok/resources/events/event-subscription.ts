import { collection, groups, references } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { sourceFields } from './event-source.ts'

export const eventSubscriptions = collection({
  name: 'event_subscription',
  table: 'event_subscriptions',
  label: 'event subscription',
  path: '/event_subscriptions',
  prefix: 'esb',
  section: '10.16',
  listAs: 'event_subscriptions',
  event: 'event_subscription',
  filterable: ['id', 'created_at', 'description', 'metadata'],
  fields: {
    ...described(),
    destination_ids: references(['event_destinations'], {
      missing: errors.no_such_destination,
      whenDeleted: errors.destination_used,
      shownAs: 'destinations',
    }),
    sources: groups(sourceFields, { default: [], describe: 'Each type once (an update replaces all sources)' }),
  },
  errors: { missing: errors.subscription_not_found },
  check({ sources }, before, { fail }) {
    if (sources === before?.sources) return
    const types = (sources as { type: string }[]).map(({ type }) => type)
    const twice = types.find((type, i) => types.indexOf(type) !== i)
    if (twice) fail(errors.source_twice, { field: 'sources', type: twice })
  },
})
