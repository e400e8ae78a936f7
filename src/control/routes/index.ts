import type { ControlRoute } from '../route.ts'
import type { World } from '../world.ts'
import { clockRoutes } from './clock.ts'
import { infoRoutes } from './info.ts'
import { journalRoutes } from './journal.ts'
import { recordRoutes } from './records.ts'
import { sandboxRoutes } from './sandboxes.ts'
import { scenarioRoutes } from './scenario.ts'
import { stateRoutes } from './state.ts'

/** Everything the control plane can do. */
export const controlRoutes = (world: World): ControlRoute[] => [
  ...infoRoutes(world),
  ...stateRoutes,
  ...journalRoutes(world),
  ...clockRoutes,
  ...scenarioRoutes(world),
  ...recordRoutes,
  ...sandboxRoutes(world),
]
