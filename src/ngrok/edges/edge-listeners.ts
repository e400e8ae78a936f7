import type { Row } from '../../engine/language/index.ts'
import type { Sandboxes } from '../../engine/launch/registry.ts'
import type { Plugin, PluginContext } from '../../engine/plugin.ts'
import type { Sandbox, SandboxEvent } from '../../engine/sandbox/index.ts'
import { type Change, type Op, Swap } from '../../engine/state/index.ts'
import { addressesOf, EDGES } from './addresses.ts'
import type { Traffic, TrafficOptions } from './traffic.ts'

const listens = (row: Row | null) => row !== null && addressesOf(row).length > 0

const affectsListeners = ({ table, before, after }: Op) => EDGES.includes(table) && (listens(before) || listens(after))

const hasListeners = ({ tables }: Sandbox) => EDGES.some(table => [...tables.all(table)].some(listens))

/** Opens and closes edge ports to match the state. Loads most of this folder with the first edge that listens. */
export class EdgeListeners implements Plugin {
  #traffic: Promise<Traffic> | undefined
  #loaded: Traffic | undefined
  /** Until the first edge of `default` is open. */
  #opening: Promise<void> | undefined

  readonly sandboxes: Sandboxes
  readonly options: TrafficOptions

  constructor({ sandboxes, options, ...context }: PluginContext) {
    this.sandboxes = sandboxes
    this.options = { ...context, allowUpstream: options.allowUpstream ?? [] }
  }

  traffic(): Promise<Traffic> {
    this.#traffic ??= import('./traffic.ts').then(({ Traffic }) => {
      this.#loaded = new Traffic(this.options)
      return this.#loaded
    })
    return this.#traffic
  }

  /** Called at startup. Resolves when the ports of `default` are open. */
  async open() {
    const sandbox = this.sandboxes.default
    if (!hasListeners(sandbox)) return
    await (await this.traffic()).sync(sandbox)
  }

  onEvent(event: SandboxEvent, live: boolean) {
    if (live && event.type === 'change') this.#follow(event.data, this.sandboxes.get(event.sandbox)!)
  }

  onDrop(sandbox: Sandbox) {
    this.#loaded?.drop(sandbox).catch(this.options.onDefect)
  }

  /** Resolves when the ports of a sandbox match its state. */
  settled(sandbox: Sandbox): Promise<void> | undefined {
    return this.#loaded?.settled(sandbox) ?? (sandbox === this.sandboxes.default ? this.#opening : undefined)
  }

  #follow(change: Change, sandbox: Sandbox) {
    if (change instanceof Swap ? !this.#loaded && !hasListeners(sandbox) : !change.ops.some(affectsListeners)) return
    if (this.#loaded) void this.#loaded.sync(sandbox)
    else if (sandbox === this.sandboxes.default)
      this.#opening = this.traffic()
        .then(traffic => traffic.sync(sandbox))
        .finally(() => {
          this.#opening = undefined
        })
  }

  get certificate(): string | undefined {
    return this.#loaded?.certificate
  }

  listeners(sandbox: Sandbox) {
    return this.#loaded?.listeners(sandbox) ?? []
  }

  /** Whether a client is connected to one of its edges. */
  isUsing(sandbox: Sandbox): boolean {
    return this.listeners(sandbox).some(listener => listener.error === undefined && listener.open > 0)
  }

  async close() {
    if (this.#traffic) await (await this.#traffic).close()
  }
}
