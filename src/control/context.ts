import type { Probed } from '../contract/evidence.ts'
import type { Info } from '../contract/info.ts'
import type { SimulatorAddress } from '../contract/names.ts'
import type { Sandboxes } from '../engine/launch/registry.ts'
import type { TrafficView } from '../engine/plugin.ts'
import type { Sandbox } from '../engine/sandbox/index.ts'
import type { EventHub } from './journal/event-hub.ts'
import type { RunReport } from './report/counts.ts'

/** The simulator, as the control API uses it. */
export interface ControlContext {
  sandboxes: Sandboxes
  events: EventHub
  /** Reports on the API's traffic, loaded on first use. Undefined if it has none. */
  traffic?: () => Promise<TrafficView>
  /** Resolves when the API's plugin has followed all changes of a sandbox. */
  settled?(sandbox: Sandbox): Promise<void> | undefined
  version: string
  vendor: string
  /** Identifies this simulator in every response. */
  instance: string
  uptimeMs(): number
  health(): object
  trustProxy: boolean
  /** The self-signed certificates as PEM. */
  certificate(): string | undefined
  /** The environment variables for clients. */
  env(): Record<string, string>
  /** The simulator's address. */
  self(): SimulatorAddress
  /** The API address for clients: the caller's, unless an option sets it. */
  url(origin: string): string
  /** Probe results of the real API, if an option names their file. */
  probed?: Probed
  coverage: RunReport
  /** Startup settings, for `/_sim/info`. */
  info(): Omit<Info, 'url' | 'version' | 'vendor' | 'instance'>
}
