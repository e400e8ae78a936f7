import type { Api } from '../api.ts'
import { type Assumed, answerTo, type Question } from '../question.ts'
import type { Clock } from './clock.ts'

type Source = { assumed: Assumed; api: Pick<Api, 'assumptions'>; clock: Pick<Clock, 'now' | 'frozen'> }

/** Records what a call or a traffic decision depends on: assumptions, and a frozen clock. */
export class Assuming {
  readonly #active: Assumed
  readonly #asked: Api['assumptions']
  readonly #sandbox: Source
  #recorded: Map<string, string> | undefined
  /** Whether it depends on a frozen clock, so the explanation mentions it. */
  usedFrozenClock = false

  /** The assumptions that were active when it started. */
  constructor(sandbox: Source) {
    this.#active = sandbox.assumed
    this.#asked = sandbox.api.assumptions
    this.#sandbox = sandbox
  }

  /** The time on the sandbox clock, in milliseconds. The explanation mentions a frozen clock. */
  now(): number {
    const { clock } = this.#sandbox
    this.usedFrozenClock ||= clock.frozen
    return clock.now()
  }

  /** The value of a question. It is recorded for the explanation, if it is an assumption of the API. */
  assume<V extends string>(question: Question<V>): V {
    const value = this.assumed(question)
    const { name } = question
    if (!Object.hasOwn(this.#asked, name)) return value
    this.#recorded ??= new Map()
    this.#recorded.set(name, value)
    return value
  }

  /** The same without recording it, for assumptions that affect nearly every response. */
  assumed<V extends string>(question: Question<V>): V {
    return answerTo(question, this.#active)
  }

  /** The recorded assumptions. */
  get assumptions() {
    return this.#recorded ? Array.from(this.#recorded, ([name, value]) => ({ name, value })) : []
  }
}
