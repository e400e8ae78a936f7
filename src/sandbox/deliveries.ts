import type { EventDelivery } from '../contract/event-delivery.ts'
import { BoundedLog } from './bounded-log.ts'

/** Of one sandbox. */
export const MAX_DELIVERIES = 1000
export const MAX_DELIVERY_BYTES = 4 * 1024 * 1024
/** The parts of a delivery beside its body. */
const OTHER_BYTES = 1024

/** The latest events of a sandbox, by destination. Those that wait to be sent are the queues of their destinations. */
export class Deliveries extends BoundedLog<EventDelivery> {
  constructor() {
    super(MAX_DELIVERIES, MAX_DELIVERY_BYTES)
  }

  add(delivery: EventDelivery) {
    this.push(delivery, OTHER_BYTES + JSON.stringify(delivery.body).length)
  }

  /** The oldest that waits to be sent to that destination. */
  nextFor(destination: string): EventDelivery | undefined {
    for (const each of this.oldestFirst())
      if (each.status === 'pending' && each.destination === destination) return each
    return undefined
  }
}
