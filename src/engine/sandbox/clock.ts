import { wallClock } from '../../basics/real-time.ts'
import { formatTime, upToLatest } from '../language/index.ts'

/** A sandbox's time: real, shifted or frozen. */
export class Clock {
  #frozenAt: number | undefined
  #offset = 0
  /** Cached, because a write formats the same second several times. */
  #formatted = { second: Number.NaN, text: '' }

  constructor(at?: { now: number; frozen: boolean }) {
    if (at) this.set(at.now, at.frozen)
  }

  now(): number {
    return this.#frozenAt ?? upToLatest(wallClock() + this.#offset)
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined
  }

  get real(): boolean {
    return this.#frozenAt === undefined && this.#offset === 0
  }

  timestamp(): string {
    const now = this.now()
    const second = Math.floor(now / 1000)
    if (second !== this.#formatted.second) this.#formatted = { second, text: formatTime(now) }
    return this.#formatted.text
  }

  set(now: number, frozen: boolean) {
    this.#frozenAt = frozen ? now : undefined
    this.#offset = frozen ? 0 : now - wallClock()
  }

  advance(ms: number) {
    if (this.#frozenAt !== undefined) this.#frozenAt += ms
    else this.#offset += ms
  }

  resume() {
    this.#frozenAt = undefined
    this.#offset = 0
  }
}
