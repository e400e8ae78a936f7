import { INSTANCE_HEADER } from '../contract/names.ts'
import type { createApi } from '../server/api/app.ts'
import { guardInPlaceOf } from '../server/http/guard.ts'
import { type Reporting, report, sendError } from './request-handler.ts'
import { type CloseServers, MAX_CONNECTIONS, REQUEST_TIMEOUTS } from './server.ts'
import type { Settings } from './settings.ts'

/** With `--as`: opens the proxy and the ports that stand in for hosts. Its code is only loaded if needed. */
export async function openStandInFor(
  { standIn: settings, instance }: Settings,
  /** The API with uris that start with an address. */
  apiAt: (baseUrl: string) => ReturnType<typeof createApi>,
  reporting: Reporting,
  close: CloseServers,
) {
  if (!settings) return undefined
  const { openStandIn } = await import('./stand-in/stand-in.ts')
  const standIn = await openStandIn({
    ...settings,
    headers: { [INSTANCE_HEADER]: instance },
    timeouts: REQUEST_TIMEOUTS,
    maxConnections: MAX_CONNECTIONS,
    serve({ host, secure }) {
      const api = apiAt(`${secure ? 'https' : 'http'}://${host}`)
      return {
        onRequest(req, res) {
          try {
            api.handle(req, res, guardInPlaceOf(host, secure ? 443 : 80, req))
          } catch (error) {
            sendError(res, error, { instance, ...reporting })
          }
        },
      }
    },
    onFailure: error => report(error, reporting),
  })
  return { ...standIn, close: () => standIn.close(close) }
}
