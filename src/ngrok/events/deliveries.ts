import type { EventBody, EventDelivery } from '../../contract/event-delivery.ts'
import type { EventContext } from '../../engine/api.ts'
import type { Collection, Row } from '../../engine/language/index.ts'
import { toRef } from '../../engine/operations/present.ts'
import type { Change, Op, Table, Tables } from '../../engine/state/index.ts'
import { type EventAction, eventType, kindOf, OWNERS } from '../resources/index.ts'

/** By event type, oldest first. */
function subscriptionsByType(table: Table): Map<string, Row[]> {
  const byType = new Map<string, Row[]>()
  for (const row of table.oldestFirst()) {
    const types = new Set((row.sources as { type: string }[]).map(({ type }) => type))
    for (const type of types) byType.set(type, [...(byType.get(type) ?? []), row])
  }
  return byType
}

/** Of event ids. */
export const EVENT_PREFIX = 'ev'

/**
 * The events of a call's change: one per step with a subscribed type, for each destination. `before` is the state before
 * the change, because a new subscription reports only later changes.
 */
export function deliveriesOf(change: Change, before: Tables, context: EventContext): EventDelivery[] {
  const subscribed = before.of('event_subscriptions').derive(subscriptionsByType)
  if (subscribed.size === 0) return []
  return change.ops.flatMap(op => {
    const kind = kindOf(op.table) as Collection
    if (kind.event === undefined) return []
    const type = eventType(kind.event, actionOf(op))
    const targets = (subscribed.get(type) ?? []).flatMap(({ id, destination_ids }) =>
      (destination_ids as string[])
        .filter(destination => before.of('event_destinations').get(destination))
        .map(destination => ({ destination, subscription: id })),
    )
    if (targets.length === 0) return []
    const body = bodyOf(context, change, kind, type, op, before)
    return targets.map(target => toDelivery(context, body, target))
  })
}

const actionOf = ({ before, after }: Op): EventAction => (before ? (after ? 'updated' : 'deleted') : 'created')

function bodyOf(
  { sandbox, caller, baseUrl, present }: EventContext,
  change: Change,
  kind: Collection,
  type: string,
  op: Op,
  before: Tables,
): EventBody {
  const owner = OWNERS.map(table => before.of(table).get(caller.id)).find(row => row !== undefined)
  return {
    event_id: sandbox.ids.id(EVENT_PREFIX),
    event_type: type,
    event_timestamp: change.at,
    account_id: sandbox.ids.fixed('ac', 'account'),
    principal: {
      id: caller.id,
      subject: (owner?.name as string | undefined) ?? caller.id,
      source: 'API',
      credential: toRef(before.catalog, baseUrl, { tables: ['api_keys'] }, caller.key_id),
    },
    object: present(kind, (op.after ?? op.before)!, op.after ? sandbox.tables : before),
  }
}

const toDelivery = (
  { sandbox }: EventContext,
  body: EventBody,
  target: Pick<EventDelivery, 'destination' | 'subscription'>,
): EventDelivery => ({
  id: body.event_id,
  seq: 0,
  at: body.event_timestamp,
  sandbox: sandbox.name,
  type: body.event_type,
  ...target,
  status: 'pending',
  attempts: 0,
  answer: null,
  failure: null,
  rules: [],
  body,
})
