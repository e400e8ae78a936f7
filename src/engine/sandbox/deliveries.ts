import type { EventDelivery } from '../../contract/event-delivery.ts'
import { BoundedLog } from './bounded-log.ts'

/** Per sandbox. */
export const MAX_DELIVERIES = 1000
export const MAX_DELIVERY_BYTES = 4 * 1024 * 1024
/** An estimate for a delivery without its body. */
const OTHER_BYTES = 1024

/** The latest events of a sandbox. The pending ones form a queue per destination. */
export class Deliveries extends BoundedLog<EventDelivery> {
  constructor() {
    super(MAX_DELIVERIES, MAX_DELIVERY_BYTES)
  }

  add(delivery: EventDelivery) {
    this.push(delivery, OTHER_BYTES + JSON.stringify(delivery.body).length)
  }

  /** The oldest pending delivery to that destination. */
  nextFor(destination: string): EventDelivery | undefined {
    for (const each of this.oldestFirst())
      if (each.status === 'pending' && each.destination === destination) return each
    return undefined
  }
}
