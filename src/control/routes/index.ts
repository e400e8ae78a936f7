import type { ControlContext } from '../context.ts'
import type { ControlRoute } from '../route.ts'
import { callRoutes } from './call.ts'
import { clockRoutes } from './clock.ts'
import { infoRoutes } from './info.ts'
import { journalRoutes } from './journal.ts'
import { metricsRoutes } from './metrics.ts'
import { recordRoutes } from './records.ts'
import { sandboxRoutes } from './sandboxes.ts'
import { scenarioRoutes } from './scenario.ts'
import { stateRoutes } from './state.ts'
import { trafficRoutes } from './traffic.ts'

/** Everything the control plane can do. */
export const controlRoutes = (context: ControlContext): ControlRoute[] => [
  ...infoRoutes(context),
  ...metricsRoutes(context),
  ...stateRoutes,
  ...callRoutes(context),
  ...journalRoutes(context),
  ...clockRoutes,
  ...scenarioRoutes(context),
  ...recordRoutes,
  ...trafficRoutes(context),
  ...sandboxRoutes(context),
]
