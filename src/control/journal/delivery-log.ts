import type { EventDelivery } from '../../contract/event-delivery.ts'
import type { DeliveryPattern } from '../../contract/expectation.ts'
import type { Api } from '../../engine/api.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import { pathPattern } from '../../engine/scenarios/path.ts'
import { rejectUnknown } from '../route.ts'
import { type Compare, equals, filtered, type LogKind, readFilters } from './log-kind.ts'
import { checkLength } from './pattern.ts'

export const DELIVERY_STATUSES = ['kept', 'pending', 'delivered', 'failed'] as const

export const deliveryLog: LogKind<EventDelivery> = {
  words: { one: 'delivery', log: 'the deliveries' },
  compare: {
    type: wanted => pathPattern(wanted),
    destination: equals,
    subscription: equals,
    status: equals,
  } satisfies Record<Exclude<keyof DeliveryPattern, 'where'>, Compare>,
  roots: ({ body }) => ({ ...body }),
  summary: ({ type, destination, status }) => ({ type, destination, status }),
  foremost: 'type',
}

/** Query parameters. */
export const DELIVERY_FILTERS = {
  limit: 'Maximum number [default: 100]',
  type: 'Event type (* matches any characters)',
  destination: 'Event destination id',
  subscription: 'Event subscription id',
  status: DELIVERY_STATUSES.join(', '),
}

/** Returns the newest first. */
export function filterDeliveries({ api, deliveries }: Sandbox, query: URLSearchParams): EventDelivery[] {
  const { limit = 100, ...pattern } = readFilters(query, Object.keys(DELIVERY_FILTERS))
  const { type, status } = pattern
  if (type !== undefined) checkEventType(api, type)
  if (status !== undefined && !(DELIVERY_STATUSES as readonly string[]).includes(status))
    rejectUnknown('status', status, DELIVERY_STATUSES)
  return filtered(deliveryLog, deliveries.newestFirst(), pattern).slice(0, Number(limit))
}

/** Rejects a type that no event has, because it is a typo. */
export function checkEventType({ events }: Api, type: string) {
  const eventTypes = events?.types ?? []
  checkLength('type', type)
  if (!eventTypes.some(pathPattern(type))) rejectUnknown('event type', type, eventTypes)
}
