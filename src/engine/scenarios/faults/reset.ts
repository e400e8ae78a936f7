import { faultKind } from '../fault.ts'

/** The connection is reset and the call is not executed, so a retry is safe. */
export const reset = faultKind({
  type: 'reset',
  onTraffic: true,
  onDeliveries: true,
  settings: {},
  make: () => ({ effect: 'connection reset, request not executed', ending: { kind: 'ending', reset: true } }),
})
