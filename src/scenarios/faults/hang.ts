import { faultKind } from '../fault.ts'
import { duration, toMs } from '../setting.ts'

/** The call is not carried out, and the client gets no answer for a time, or until it gives up. */
export const hang = faultKind({
  type: 'hang',
  onEdges: true,
  onDeliveries: true,
  settings: { for: duration().optional() },
  make: settings => ({
    effect: `no answer ${settings.for ? `for ${settings.for}` : 'until the client leaves'}, nothing carried out`,
    ending: { kind: 'ending', afterMs: settings.for ? toMs(settings.for) : Number.POSITIVE_INFINITY },
  }),
})
