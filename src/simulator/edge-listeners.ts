import type { Sandbox } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { type Change, type Op, Swap } from '../state/index.ts'
import { addressesOf, EDGES } from '../traffic/addresses.ts'
import type { Traffic, TrafficOptions } from '../traffic/traffic.ts'

const listens = (row: Row | null) => row !== null && addressesOf(row).length > 0

const concernsPorts = ({ table, before, after }: Op) => EDGES.includes(table) && (listens(before) || listens(after))

const wantsPorts = ({ tables }: Sandbox) => EDGES.some(table => [...tables.of(table).oldestFirst()].some(listens))

/** Keeps what edges listen at in line with the state, once there is an edge that listens. */
export class Ports {
  #traffic: Promise<Traffic> | undefined
  #loaded: Traffic | undefined

  constructor(readonly options: TrafficOptions) {}

  traffic(): Promise<Traffic> {
    this.#traffic ??= import('../traffic/traffic.ts').then(({ Traffic }) => {
      this.#loaded = new Traffic(this.options)
      return this.#loaded
    })
    return this.#traffic
  }

  /** At the start: resolves when the ports are open. */
  async open(sandbox: Sandbox) {
    if (!wantsPorts(sandbox)) return
    ;(await this.traffic()).sync(sandbox)
    await sandbox.pendingListeners
  }

  /** After a change: the answer that tells of it waits until the ports are as it says. */
  follow(change: Change, sandbox: () => Sandbox) {
    const box = sandbox()
    if (change instanceof Swap ? !this.#loaded && !wantsPorts(box) : !change.ops.some(concernsPorts)) return
    if (this.#loaded) this.#loaded.sync(box)
    else if (box.name === 'default')
      box.pendingListeners = this.traffic().then(traffic => {
        traffic.sync(box)
        return box.pendingListeners
      })
  }

  get certificate(): string | undefined {
    return this.#loaded?.certificate
  }

  listeners(sandbox: Sandbox) {
    return this.#loaded?.listeners(sandbox) ?? []
  }

  /** Whether anybody is connected to one of its edges. */
  isConnected(sandbox: Sandbox): boolean {
    return this.listeners(sandbox).some(listener => listener.error === undefined && listener.open > 0)
  }

  async drop(sandbox: Sandbox) {
    await this.#loaded?.drop(sandbox)
  }

  async close() {
    if (this.#traffic) await (await this.#traffic).close()
  }
}
