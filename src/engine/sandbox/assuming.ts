import type { Api } from '../api.ts'
import { type Assumed, answerTo, type Question } from '../question.ts'

/** Records the assumptions that a call or a traffic decision depends on. */
export class Assuming {
  readonly #active: Assumed
  readonly #asked: Api['assumptions']
  #recorded: Map<string, string> | undefined

  /** The assumptions that were active when it started. */
  constructor({ assumed, api }: { assumed: Assumed; api: Pick<Api, 'assumptions'> }) {
    this.#active = assumed
    this.#asked = api.assumptions
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
