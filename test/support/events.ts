import type { Call } from './http.ts'

/** The smallest destination that is accepted. */
export const destination = { format: 'json', target: { datadog: { api_key: 'key' } } }

/** A destination, and a subscription that publishes these types to it. */
export async function subscribe(call: Call, types: string[], destinations = 1) {
  const made = []
  for (let i = 0; i < destinations; i++) made.push((await call('POST', '/event_destinations', destination)).body.id)
  const sources = types.map(type => ({ type }))
  const { body } = await call('POST', '/event_subscriptions', { destination_ids: made, sources })
  return { subscription: body.id as string, destinations: made as string[] }
}
