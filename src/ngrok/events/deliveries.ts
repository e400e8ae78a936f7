import type { EventBody, EventDelivery } from '../../contract/event-delivery.ts'
import type { Collection, Row } from '../../engine/language/index.ts'
import { presentRow, toRef } from '../../engine/operations/present.ts'
import type { Call } from '../../engine/sandbox/index.ts'
import type { Op, Table, Tables } from '../../engine/state/index.ts'
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

/**
 * The events of a call's change: one per step with a subscribed type, for each destination. `before` is the state before
 * the change, because a new subscription reports only later changes.
 */
export function deliveriesOf(call: Call, before: Tables): EventDelivery[] {
  const subscribed = before.of('event_subscriptions').derive(subscriptionsByType)
  if (subscribed.size === 0 || !call.change) return []
  return call.change.ops.flatMap(op => {
    const kind = kindOf(op.table) as Collection
    if (kind.event === undefined) return []
    const type = eventType(kind.event, actionOf(op))
    const targets = (subscribed.get(type) ?? []).flatMap(({ id, destination_ids }) =>
      (destination_ids as string[])
        .filter(destination => before.of('event_destinations').get(destination))
        .map(destination => ({ destination, subscription: id })),
    )
    if (targets.length === 0) return []
    const body = bodyOf(call, kind, type, op, before)
    return targets.map(target => toDelivery(call, body, target))
  })
}

const actionOf = ({ before, after }: Op): EventAction => (before ? (after ? 'updated' : 'deleted') : 'created')

function bodyOf(call: Call, kind: Collection, type: string, op: Op, before: Tables): EventBody {
  const { sandbox, caller, baseUrl, change } = call
  const owner = OWNERS.map(table => before.of(table).get(caller.id)).find(row => row !== undefined)
  // The event is not part of the response, so the explanation of the response ignores its assumptions.
  const assumed: Call['assumed'] = each => call.assumed(each)
  const view = { sandbox, baseUrl, assumed, assume: assumed, tables: op.after ? sandbox.tables : before }
  return {
    event_id: sandbox.ids.id('ev'),
    event_type: type,
    event_timestamp: change!.at,
    account_id: sandbox.ids.account(),
    principal: {
      id: caller.id,
      subject: (owner?.name as string | undefined) ?? caller.id,
      source: 'API',
      credential: toRef(baseUrl, { tables: ['api_keys'] }, caller.key_id),
    },
    object: presentRow(view, kind, (op.after ?? op.before)!),
  }
}

const toDelivery = (
  { sandbox }: Call,
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
