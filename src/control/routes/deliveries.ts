import { DELIVERY_FILTERS, deliveryLog, filterDeliveries } from '../journal/delivery-log.ts'
import { checkDeliveryExpectation, deliveryExpectationShape } from '../journal/expectation.ts'
import { verifyLog } from '../journal/verify.ts'
import { del, get, post, type Route } from '../route.ts'

export const deliveryRoutes: Route[] = [
  get('/deliveries', 'List event deliveries, newest first', {
    query: DELIVERY_FILTERS,
    run: ({ sandbox, query }) => ({ deliveries: filterDeliveries(sandbox, query) }),
  }),
  del('/deliveries', 'Clear the deliveries, without sending pending ones', {
    statuses: [204],
    run: ({ sandbox }) => sandbox.deliveries.clear(),
  }),
  post('/deliveries/verify', 'Verify the published events', {
    body: deliveryExpectationShape,
    run({ sandbox, body }) {
      checkDeliveryExpectation(sandbox.api, body)
      return verifyLog(deliveryLog, sandbox.deliveries, body)
    },
  }),
]
