import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { within } from '../../basics/within.ts'
import type { EventDelivery } from '../../contract/event-delivery.ts'
import type { Effects, Fault } from '../../engine/rules.ts'
import type { Lifetime, Sandbox } from '../../engine/sandbox/index.ts'
import type { Attempt, PostEvent } from './target.ts'

export const MAX_DELIVERY_ATTEMPTS = 5
/** The time for a receiver to respond. */
export const ATTEMPT_MS = 10_000
/** An estimate for a delivery without its body. */
const OTHER_BYTES = 1024
/** Before the second attempt. Each further wait is four times as long. */
const FIRST_WAIT_MS = 100

/**
 * Stores the events of all sandboxes and posts them to `--deliver-to`. Events for the same destination of a sandbox are
 * sent one by one.
 */
export class EventSender {
  /** Destinations with a delivery in progress. */
  readonly #busy = new WeakMap<Lifetime, Set<string>>()
  readonly #closing = new AbortController()

  constructor(
    readonly post: PostEvent | undefined,
    readonly onDefect: (error: unknown) => void,
  ) {
    setMaxListeners(0, this.#closing.signal)
  }

  readonly publish = (sandbox: Sandbox, delivery: EventDelivery) => {
    sandbox.deliveries.push(delivery, OTHER_BYTES + JSON.stringify(delivery.body).length)
    if (!this.post) return storeOnly(sandbox, delivery)
    announce(sandbox, delivery)
    this.#sendAll(sandbox, delivery.destination, this.post).catch(this.onDefect)
  }

  close() {
    this.#closing.abort()
  }

  async #sendAll(sandbox: Sandbox, destination: string, post: PostEvent) {
    const { lifetime, deliveries } = sandbox
    const busy = this.#busy.get(lifetime) ?? new Set()
    this.#busy.set(lifetime, busy)
    if (busy.has(destination)) return
    busy.add(destination)
    // Also stops during a wait, when the sandbox or the simulator ends.
    const ending = new AbortController()
    const end = () => ending.abort()
    const owners = [lifetime.signal, this.#closing.signal]
    for (const owner of owners) owner.addEventListener('abort', end)
    try {
      for (;;) {
        const next = deliveries
          .oldestFirst()
          .find(each => each.status === 'pending' && each.destination === destination)
        if (!next || owners.some(({ aborted }) => aborted)) break
        await send(sandbox, next, post, ending.signal)
      }
    } finally {
      busy.delete(destination)
      for (const owner of owners) owner.removeEventListener('abort', end)
    }
  }
}

/** Retries with growing waits if that may help. */
async function send(sandbox: Sandbox, delivery: EventDelivery, post: PostEvent, signal: AbortSignal) {
  for (let wait = FIRST_WAIT_MS; ; wait *= 4) {
    delivery.attempts++
    const attempt = await tryOnce(sandbox, delivery, post, signal)
    if (signal.aborted) return
    const { status, why } = attempt
    delivery.answer = status ?? null
    const isDelivered = status !== undefined && status >= 200 && status < 300
    delivery.failure = isDelivered ? null : (why ?? `the receiver returned status ${status}`)
    const mayRetry = status === undefined || status === 429 || status >= 500
    if (isDelivered || !mayRetry || delivery.attempts === MAX_DELIVERY_ATTEMPTS) {
      delivery.status = isDelivered ? 'delivered' : 'failed'
      return announce(sandbox, delivery)
    }
    await pause(wait, signal)
    if (signal.aborted) return
  }
}

async function tryOnce(
  sandbox: Sandbox,
  delivery: EventDelivery,
  post: PostEvent,
  signal: AbortSignal,
): Promise<Attempt> {
  const { delayMs = 0, fault } = effectsOn(sandbox, delivery) ?? {}
  await pause(delayMs, signal)
  if (!fault) return within(ATTEMPT_MS, limited => post(delivery, limited), { outer: signal })
  await pause(Math.min(fault.ending?.afterMs ?? 0, ATTEMPT_MS), signal)
  return underFault(fault)
}

/** Without an address, nothing is sent. A fault of the scenario fails the delivery immediately. */
function storeOnly(sandbox: Sandbox, delivery: EventDelivery) {
  const fault = effectsOn(sandbox, delivery)?.fault
  delivery.status = fault ? 'failed' : 'kept'
  if (fault) {
    const { status = null, why } = underFault(fault)
    Object.assign(delivery, { attempts: 1, answer: status, failure: why })
  }
  announce(sandbox, delivery)
}

const underFault = ({ status, effect }: Fault): Attempt => ({ status, why: `scenario rule: ${effect}` })

const effectsOn = (sandbox: Sandbox, { type, rules }: EventDelivery): Effects | undefined =>
  sandbox.rules?.apply({ sourceIp: '', target: type, entry: { path: '', rules }, now: () => sandbox.clock.now() })

const announce = (sandbox: Sandbox, delivery: EventDelivery) =>
  sandbox.emit({ type: 'delivery', sandbox: sandbox.name, data: delivery })

/** Resolves after that time, or when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal) {
  if (ms > 0) await setTimeout(ms, undefined, { signal }).catch(() => {})
}
