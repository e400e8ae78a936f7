import type { IncomingMessage, ServerResponse } from 'node:http'
import type { createControl } from '../control/app.ts'
import type { ControlContext } from '../control/context.ts'
import type { RunReport } from '../control/report/counts.ts'
import { version } from '../engine/files/package.ts'
import type { Sandboxes } from '../engine/launch/registry.ts'
import type { Plugin } from '../engine/plugin.ts'
import type { Sandbox, SandboxEvent } from '../engine/sandbox/index.ts'
import type { Target } from '../server/http/guard.ts'
import type { Observer } from './observers.ts'
import { shown, shownOptions } from './options/shown.ts'
import type { Refusals } from './refusals.ts'
import type { Settings } from './settings.ts'
import type { Environment } from './stand-in/environment.ts'

export interface ControlPlaneDependencies {
  settings: Settings
  sandboxes: Sandboxes
  plugin: Plugin | undefined
  refusals: Refusals
  coverage: RunReport
  certificate(): string | undefined
  onDefect(error: unknown): void
}

type Control = ReturnType<typeof createControl>

/** The control plane, loaded with its first request, because many runs need none. */
export class ControlPlane implements Observer {
  #loading: Promise<Control> | undefined
  #control: Control | undefined
  /** Set when the server listens. */
  environment: Environment | undefined

  constructor(readonly dependencies: ControlPlaneDependencies) {}

  async handle(req: IncomingMessage, res: ServerResponse, target: Target) {
    this.#loading ??= this.#load(req.socket.localPort!)
    this.#control = await this.#loading
    this.#control.handle(req, res, target)
  }

  health = () => ({ status: 'ok', version, uptime_ms: Math.round(this.dependencies.settings.uptimeMs()) })

  onEvent(event: SandboxEvent, live: boolean) {
    if (live) this.#control?.events.publish(event)
  }

  onDrop({ name }: Sandbox) {
    this.#control?.events.drop(name)
  }

  /** Whether the sandbox's events have a reader. */
  isRead({ name }: Sandbox): boolean {
    return this.#control?.events.isRead(name) === true
  }

  close() {
    this.#control?.events.close()
  }

  async #load(port: number) {
    const { createControl } = await import('../control/app.ts')
    const { settings, sandboxes, plugin, coverage, certificate, onDefect } = this.dependencies
    const { vendor, instance, trustProxy, baseUrl, fingerprint, urlAt, uptimeMs } = settings
    const context = {
      sandboxes,
      traffic: plugin?.traffic,
      settled: plugin?.settled,
      version,
      vendor,
      instance,
      uptimeMs,
      coverage,
      health: this.health,
      certificate,
      env: () => this.environment?.variables ?? {},
      trustProxy,
      self: () => ({ url: urlAt(port), fingerprint }),
      url: (origin: string) => baseUrl ?? origin,
      probed: settings.options.assume?.probed,
      info: () => this.#info(),
    }
    return createControl(context, onDefect)
  }

  #info(): ReturnType<ControlContext['info']> {
    const { settings, sandboxes, refusals } = this.dependencies
    const { options } = settings
    return {
      started_at: settings.startedAt,
      fixture: shown('fixture', options.fixture) as string,
      scenario: shown('scenario', options.scenario ?? null) as string | null,
      database: sandboxes.default.log?.file ?? null,
      tokens: sandboxes.tokensOf(sandboxes.default),
      sandboxes: { count: sandboxes.count, most: sandboxes.settings.most, expired: sandboxes.expired },
      options: shownOptions(options),
      api: settings.apiInfo,
      refused: refusals.list(),
    }
  }
}
