import type { Sandbox } from './sandbox/index.ts'
import type { Row } from './schema/index.ts'
import type { Change } from './state/index.ts'
import { addressesOf, EDGES } from './traffic/addresses.ts'
import type { Traffic, TrafficOptions } from './traffic/traffic.ts'

const listens = (row: Row | null) => row !== null && addressesOf(row).length > 0

/** Keeps what edges listen at in line with the state, once there is an edge that listens. */
export class Ports {
  #traffic: Promise<Traffic> | undefined
  #loaded: Traffic | undefined

  constructor(readonly options: TrafficOptions) {}

  traffic(): Promise<Traffic> {
    this.#traffic ??= import('./traffic/traffic.ts').then(({ Traffic }) => {
      this.#loaded = new Traffic(this.options)
      return this.#loaded
    })
    return this.#traffic
  }

  /** At the start: resolves when the ports are open. */
  async open(sandbox: Sandbox) {
    const wanted = EDGES.some(table => [...sandbox.tables.of(table).oldestFirst()].some(listens))
    if (!wanted) return
    ;(await this.traffic()).sync(sandbox)
    await sandbox.ports
  }

  /** After a change: the answer that tells of it waits until the ports are as it says. */
  follow({ ops }: Change, sandbox: () => Sandbox) {
    if (!ops.some(({ table, before, after }) => EDGES.includes(table) && (listens(before) || listens(after)))) return
    const box = sandbox()
    if (this.#loaded) this.#loaded.sync(box)
    else if (box.name === 'default')
      box.ports = this.traffic().then(traffic => {
        traffic.sync(box)
        return box.ports
      })
  }

  get certificate(): string | undefined {
    return this.#loaded?.certificate
  }

  listeners(sandbox: Sandbox) {
    return this.#loaded?.listeners(sandbox) ?? []
  }

  async drop(sandbox: Sandbox) {
    await this.#loaded?.drop(sandbox)
  }

  async close() {
    if (this.#traffic) await (await this.#traffic).close()
  }
}
