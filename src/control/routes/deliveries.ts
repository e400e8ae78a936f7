import type { ControlContext } from '../context.ts'
import { DELIVERY_FILTERS, deliveryLog, filterDeliveries } from '../journal/delivery-log.ts'
import { checkDeliveryExpectation, deliveryExpectationSchema } from '../journal/expectation.ts'
import { verifyLog } from '../journal/verify.ts'
import { del, get, post, type Route, reads } from '../route.ts'

export const deliveryRoutes = ({ vendor }: ControlContext): Route[] => [
  get('/deliveries', 'The events that were published, by destination, newest first', {
    query: DELIVERY_FILTERS,
    tool: reads(
      'list_deliveries',
      'Use it to see which events a change published, to which destinations, and what became of them.',
      '{deliveries delivery}, newest first; no more than limit, which is 100 unless given.',
    ),
    run: ({ sandbox, query }) => ({ deliveries: filterDeliveries(sandbox.deliveries, query) }),
  }),
  del('/deliveries', 'Forget the deliveries; those that are pending are not sent', {
    statuses: [204],
    run: ({ sandbox }) => sandbox.deliveries.clear(),
  }),
  post('/deliveries/verify', 'Whether the events were published as expected', {
    body: deliveryExpectationSchema,
    run({ sandbox, body }) {
      checkDeliveryExpectation(body)
      return verifyLog(deliveryLog, sandbox.deliveries, body, vendor)
    },
  }),
]
