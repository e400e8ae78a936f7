import { faultKind } from '../fault.ts'

/** The connection is reset and nothing is carried out: retrying is safe. */
export const reset = faultKind({
  type: 'reset',
  onEdges: true,
  onDeliveries: true,
  settings: {},
  make: () => ({ effect: 'connection reset, nothing carried out', ending: { kind: 'ending', reset: true } }),
})
