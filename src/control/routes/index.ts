import type { ControlContext } from '../context.ts'
import type { ControlRoute } from '../route.ts'
import { callRoutes } from './call.ts'
import { clockRoutes } from './clock.ts'
import { infoRoutes } from './info.ts'
import { journalRoutes } from './journal.ts'
import { recordRoutes } from './records.ts'
import { sandboxRoutes } from './sandboxes.ts'
import { scenarioRoutes } from './scenario.ts'
import { stateRoutes } from './state.ts'
import { trafficRoutes } from './traffic.ts'

/** All routes of the control plane, but for those of the page and its OpenAPI document. */
export const controlRoutes = (context: ControlContext): ControlRoute[] => [
  ...infoRoutes(context),
  ...stateRoutes,
  ...callRoutes(context),
  ...journalRoutes(context),
  ...clockRoutes,
  ...scenarioRoutes(context),
  ...recordRoutes,
  ...trafficRoutes(context),
  ...sandboxRoutes(context),
]
