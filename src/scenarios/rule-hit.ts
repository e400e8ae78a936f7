/** What a rule did that has no fault, or whose fault came too late. */
export const LATENCY = 'latency'

/** A rule that has met a call, as the journal shows it. What it did is also known in a word, for those that count. */
export class RuleHit {
  readonly #kind: string | undefined

  constructor(
    readonly name: string,
    readonly fired: boolean,
    public effect: string,
    kind: string | undefined,
  ) {
    this.#kind = kind
  }

  /** The type of its fault, `rate_limit` or `latency`; undefined when it did not fire. */
  static kindOf(rule: object): string | undefined {
    return #kind in rule ? rule.#kind : undefined
  }
}
