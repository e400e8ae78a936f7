import type { Sandbox, SandboxEvent } from '../engine/sandbox/index.ts'

export interface Observer {
  /** `live` is false if the sandbox was dropped before the event. Another one may have its name now. */
  onEvent?(event: SandboxEvent, live: boolean): void
  /** Resources of a dropped sandbox must be released. */
  onDrop?(sandbox: Sandbox): void
}

/** Receives every event of every sandbox. */
export class Observers {
  readonly #all: Observer[] = []

  add<T extends Observer>(observer: T): T {
    this.#all.push(observer)
    return observer
  }

  readonly emit = (event: SandboxEvent, live: boolean) => {
    for (const observer of this.#all) observer.onEvent?.(event, live)
  }

  readonly onDrop = (sandbox: Sandbox) => {
    for (const observer of this.#all) observer.onDrop?.(sandbox)
  }
}
