import type { SimulatorAddress } from '../contract/names.ts'
import type { TrafficQuestion, TrafficReport, TrafficVerdict } from '../contract/traffic.ts'
import type { Sandbox, SandboxEvent } from '../sandbox/index.ts'
import type { Sandboxes } from '../sandboxes/registry.ts'
import type { EventHub } from './journal/event-hub.ts'

/** What edges carry, as far as the control plane tells of it. */
export interface TrafficView {
  report(sandbox: Sandbox): Promise<TrafficReport>
  check(sandbox: Sandbox, question: TrafficQuestion): TrafficVerdict
}

/** What the control plane needs to know of the simulator around it. */
export interface ControlContext {
  sandboxes: Sandboxes
  events: EventHub
  /** From now on told of all that happens in any sandbox, also in one that was dropped meanwhile. */
  observe(observer: (event: SandboxEvent) => void): void
  /** Loaded when it is first asked for. */
  traffic(): Promise<TrafficView>
  version: string
  vendor: string
  /** Which simulator this is: every answer carries it. */
  instance: string
  startedAt: number
  health(): object
  trustProxy: boolean
  /** The PEM that clients can trust, where it was made for this start. */
  certificate(): string | undefined
  /** Where the built page is. */
  pageFolder: string
  /** Where it listens itself. */
  self(): SimulatorAddress
  /** Where clients reach the API: the address the caller used, unless one was given. */
  url(origin: string): string
  /** What `/_sim/info` tells about how it was started. */
  info(): Record<string, unknown>
}
