import type { Sandbox, SandboxEvent } from '../sandbox/index.ts'

export interface Subscriber {
  /** `live` is false when the sandbox was dropped before the event: another may have its name by now. */
  onEvent?(event: SandboxEvent, live: boolean): unknown
  onDrop?(sandbox: Sandbox): unknown
}

/** What happens in sandboxes, for the event streams, the edges' listeners, the hooks and the metrics. */
export class Events {
  readonly #subscribers: Subscriber[] = []

  /** Subscribers are called in the order in which they subscribed. */
  subscribe(subscriber: Subscriber) {
    this.#subscribers.push(subscriber)
  }

  emit(event: SandboxEvent, live: boolean) {
    for (const subscriber of this.#subscribers) subscriber.onEvent?.(event, live)
  }

  drop(sandbox: Sandbox) {
    for (const subscriber of this.#subscribers) subscriber.onDrop?.(sandbox)
  }
}
