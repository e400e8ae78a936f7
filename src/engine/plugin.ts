import type { EventDelivery } from '../contract/event-delivery.ts'
import type { ListenerReport, TrafficQuestion, TrafficReport, TrafficVerdict } from '../contract/traffic.ts'
import type { Api } from './api.ts'
import type { Sandboxes } from './launch/registry.ts'
import type { Sandbox, SandboxEvent } from './sandbox/index.ts'

/** An API, and what it opens besides the simulator's own server. */
export interface ServedApi extends Api {
  plugin?(context: PluginContext): Promise<Plugin>
}

/** The simulator, as a plugin uses it. */
export interface PluginContext {
  sandboxes: Sandboxes
  vendor: string
  options: { allowUpstream?: string[]; deliverTo?: string }
  /** The certificate of the simulator, or a new one. */
  certificate(): Promise<{ cert: string; key: string }>
  warn(text: string): void
  /** Called with errors that are bugs in edgesim. */
  onDefect(error: unknown): void
  /** The maximum number of open files and sockets. Replaced in tests. */
  openFiles?: number
  /** Timeouts for clients of listeners, in seconds. Replaced in tests. */
  listenerTimeouts?: { headers: number; request: number }
}

/** Whatever an API does outside of calls: it follows changes of the state, listens, and delivers events. */
export interface Plugin {
  /** Opens what the sandbox `default` needs at startup. */
  open?(): Promise<void>
  /** `live` is false if the sandbox was dropped before the event. Another one may have its name now. */
  onEvent?(event: SandboxEvent, live: boolean): void
  onDrop?(sandbox: Sandbox): void
  /** Resolves when it has followed all changes of a sandbox. Responses to changes wait for it. */
  settled?(sandbox: Sandbox): Promise<void> | undefined
  /** Delivers an event. Without it, events are only stored. */
  publish?(sandbox: Sandbox, delivery: EventDelivery): void
  /** Whether it uses a sandbox without requests, such as by a connection. */
  isUsing?(sandbox: Sandbox): boolean
  /** The open listeners of a sandbox. */
  listeners?(sandbox: Sandbox): ListenerReport[]
  /** A certificate that clients of its listeners must trust, as PEM. */
  readonly certificate?: string
  /** Reports on its traffic. Loaded on first use. */
  traffic?: () => Promise<TrafficView>
  close(): Promise<void>
}

/** Reports on traffic. */
export interface TrafficView {
  report(sandbox: Sandbox): Promise<TrafficReport>
  check(sandbox: Sandbox, question: TrafficQuestion): Promise<TrafficVerdict>
}
