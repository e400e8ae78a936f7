import type { Sandbox, SandboxEvent } from '../sandbox/index.ts'

export interface Observer {
  /** `live` is false when the sandbox was dropped before the event: another may have its name by now. */
  onEvent(event: SandboxEvent, live: boolean): void
  /** Whoever holds something of a dropped sandbox lets go of it. */
  onDrop?(sandbox: Sandbox): void
}

/** Who hears of every event of every sandbox. */
export class Observers {
  readonly #all: Observer[] = []

  add<T extends Observer>(observer: T): T {
    this.#all.push(observer)
    return observer
  }

  readonly emit = (event: SandboxEvent, live: boolean) => {
    for (const observer of this.#all) observer.onEvent(event, live)
  }

  readonly onDrop = (sandbox: Sandbox) => {
    for (const observer of this.#all) observer.onDrop?.(sandbox)
  }
}
