import { formatTime } from '../schema/index.ts'

/** Timestamps have four digits for the year. */
const [EARLIEST, LATEST] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')]

export const canBeShown = (time: number) => time >= EARLIEST && time <= LATEST

/** A sandbox's time: real, shifted, or standing still. */
export class Clock {
  #frozenAt: number | undefined
  #offset = 0

  now(): number {
    return this.#frozenAt ?? Math.min(Date.now() + this.#offset, LATEST)
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined
  }

  get real(): boolean {
    return this.#frozenAt === undefined && this.#offset === 0
  }

  timestamp(): string {
    return formatTime(this.now())
  }

  set(now: number, frozen: boolean) {
    this.#frozenAt = frozen ? now : undefined
    this.#offset = frozen ? 0 : now - Date.now()
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
