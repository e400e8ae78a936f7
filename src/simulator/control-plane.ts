import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Report } from '../contract/report.ts'
import type { createControl } from '../control/app.ts'
import type { EventHub } from '../control/journal/event-hub.ts'
import { version } from '../files/package.ts'
import type { Target } from '../http/guard.ts'
import { shown, shownOptions } from '../options/shown.ts'
import type { Sandboxes } from '../registry/registry.ts'
import type { SandboxEvent } from '../sandbox/index.ts'
import type { EdgeListeners } from './edge-listeners.ts'
import type { Refusals } from './refusals.ts'
import type { Settings } from './settings.ts'

/** What the control plane is made of. */
export interface ControlPlaneDependencies {
  settings: Settings
  sandboxes: Sandboxes
  observe(onEvent: (event: SandboxEvent) => void): void
  /** The streams of events. */
  hub: EventHub
  edges: EdgeListeners
  refusals: Refusals
  startedAt: number
  report(): Report
  health(): object
  certificate(): string | undefined
  env(): Record<string, string>
  onDefect(error: unknown): void
}

/** The control plane, loaded by the first request to it: many runs end without one. */
export class ControlPlane {
  #loaded: Promise<ReturnType<typeof createControl>> | undefined

  constructor(readonly dependencies: ControlPlaneDependencies) {}

  async handle(req: IncomingMessage, res: ServerResponse, target: Target) {
    this.#loaded ??= this.#load(req.socket.localPort!)
    const control = await this.#loaded
    control.handle(req, res, target)
  }

  async #load(port: number) {
    const { createControl } = await import('../control/app.ts')
    const { settings, sandboxes, observe, hub, edges, startedAt, report, health, certificate, env, onDefect } =
      this.dependencies
    const { vendor, instance, trustProxy, baseUrl, fingerprint, urlAt } = settings
    const context = {
      sandboxes,
      events: hub,
      observe,
      traffic: () => edges.traffic(),
      version,
      vendor,
      instance,
      startedAt,
      report,
      health,
      certificate,
      env,
      trustProxy,
      self: () => ({ url: urlAt(port), fingerprint }),
      url: (origin: string) => baseUrl ?? origin,
      probed: settings.options.assume?.probed,
      info: () => this.#info(),
    }
    return createControl(context, onDefect)
  }

  #info() {
    const { settings, sandboxes, refusals } = this.dependencies
    const { options } = settings
    return {
      started_at: settings.startedAt,
      fixture: shown('fixture', options.fixture),
      scenario: shown('scenario', options.scenario ?? null),
      database: sandboxes.default.log?.file ?? null,
      tokens: sandboxes.tokensOf(sandboxes.default),
      sandboxes: { count: sandboxes.count, most: sandboxes.most, expired: sandboxes.expired },
      options: shownOptions(options),
      refused: refusals.list(),
    }
  }
}
