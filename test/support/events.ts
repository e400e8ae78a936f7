import type { Call } from './http.ts'

/** The smallest valid destination. */
const destination = { format: 'json', target: { datadog: { api_key: 'key' } } }

/** Creates destinations, and a subscription that publishes these types to them. */
export async function subscribe(call: Call, types: string[], destinations = 1) {
  const made = []
  for (let i = 0; i < destinations; i++) made.push((await call('POST', '/event_destinations', destination)).body.id)
  const sources = types.map(type => ({ type }))
  const { body } = await call('POST', '/event_subscriptions', { destination_ids: made, sources })
  return { subscription: body.id as string, destinations: made as string[] }
}
