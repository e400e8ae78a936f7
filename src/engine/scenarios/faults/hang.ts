import { faultKind } from '../fault.ts'
import { duration, toMs } from '../setting.ts'

/** The call is not executed, and the client gets no response for a time or until it disconnects. */
export const hang = faultKind({
  type: 'hang',
  onTraffic: true,
  onDeliveries: true,
  settings: { for: { shape: duration } },
  make: settings => ({
    effect: `no response ${settings.for ? `for ${settings.for}` : 'until the client disconnects'}, request not executed`,
    ending: { kind: 'ending', afterMs: settings.for ? toMs(settings.for) : Number.POSITIVE_INFINITY },
  }),
})
