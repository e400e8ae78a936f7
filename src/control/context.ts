import type { Probed } from '../contract/evidence.ts'
import type { Info } from '../contract/info.ts'
import type { SimulatorAddress } from '../contract/names.ts'
import type { Report } from '../contract/report.ts'
import type { TrafficQuestion, TrafficReport, TrafficVerdict } from '../contract/traffic.ts'
import type { Sandboxes } from '../registry/registry.ts'
import type { Sandbox, SandboxEvent } from '../sandbox/index.ts'
import type { EventHub } from './journal/event-hub.ts'

/** What the control plane reports about the traffic of edges. */
export interface TrafficView {
  report(sandbox: Sandbox): Promise<TrafficReport>
  check(sandbox: Sandbox, question: TrafficQuestion): Promise<TrafficVerdict>
}

/** What the control plane needs from the simulator. */
export interface ControlContext {
  sandboxes: Sandboxes
  events: EventHub
  /** The observer gets every event of every sandbox from now on, also of dropped ones. */
  observe(observer: (event: SandboxEvent) => void): void
  /** Loaded on first use. */
  traffic(): Promise<TrafficView>
  version: string
  vendor: string
  /** Identifies this simulator in every answer. */
  instance: string
  uptimeMs(): number
  health(): object
  trustProxy: boolean
  /** The certificates of our own making as PEM, if there are any. */
  certificate(): string | undefined
  /** The variables by which other programs find the simulator. */
  env(): Record<string, string>
  /** Its own address. */
  self(): SimulatorAddress
  /** The address of the API for clients: the one that the caller used, unless an option sets it. */
  url(origin: string): string
  /** What a probe found out about the real service, if its file was given. */
  probed?: Probed
  /** What was touched since the start. */
  report(): Report
  /** How it was started, for `/_sim/info`. */
  info(): Omit<Info, 'url' | 'version' | 'vendor' | 'instance'>
}
