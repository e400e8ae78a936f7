/** The possible metadata of a key on disk, null for deleted. A single value is certain. */
type Possible = Set<string | null>

interface Write {
  key: string
  /** The key after the write, null for a delete. */
  outcome: string | null
  /** Whether a reset was pending at the same time, so the order is unknown. */
  besideReset: boolean
}

/** Records acknowledged and pending writes, and finds losses after a restart. */
export class Ledger {
  readonly #keys = new Map<string, Possible>()
  readonly #underWay = new Set<Write>()
  /** The certain keys when a pending reset was sent. After a restart all or none of them exist. */
  #unansweredReset: Set<string> | undefined
  answered = 0
  readonly faults: string[] = []

  begin(key: string, outcome: string | null): Write {
    const write = { key, outcome, besideReset: this.#unansweredReset !== undefined }
    this.#underWay.add(write)
    const possible = this.#keys.get(key) ?? new Set([null])
    this.#keys.set(key, possible.add(outcome))
    this.#unansweredReset?.delete(key)
    return write
  }

  /** The write was executed, or the key no longer exists. */
  end(write: Write, carriedOut: boolean) {
    this.#underWay.delete(write)
    if (carriedOut) this.answered++
    const outcome = carriedOut ? write.outcome : null
    this.#keys.set(write.key, new Set(write.besideReset ? [outcome, null] : [outcome]))
  }

  refuse(write: Write, before: string | null) {
    this.#underWay.delete(write)
    this.#keys.set(write.key, new Set(write.besideReset ? [before, null] : [before]))
  }

  beginReset() {
    for (const write of this.#underWay) write.besideReset = true
    const busy = new Set(Array.from(this.#underWay, ({ key }) => key))
    this.#unansweredReset = new Set([...this.#keys.keys()].filter(key => !busy.has(key) && this.certain(key) !== null))
  }

  endReset() {
    this.answered++
    for (const key of this.#unansweredReset!) this.#keys.set(key, new Set([null]))
    for (const possible of this.#keys.values()) if (possible.size > 1) possible.add(null)
    this.#unansweredReset = undefined
  }

  present(): string[] {
    return [...this.#keys.keys()].filter(key => typeof this.certain(key) === 'string')
  }

  /** The certain metadata of a key, undefined if uncertain. */
  certain(key: string): string | null | undefined {
    const possible = this.#keys.get(key)
    return possible?.size === 1 ? [...possible][0]! : undefined
  }

  /** Compares with the keys after a restart, which are then certain. */
  compare(found: Map<string, string>) {
    const group = this.#unansweredReset
    // The reset may have been executed before these writes.
    if (group) for (const { key } of this.#underWay) this.#keys.get(key)!.add(null)
    const undone = group ? [...group].filter(key => !found.has(key)).length : 0
    if (group && undone > 0 && undone < group.size) this.#fault(`a reset took away ${undone} of ${group.size} keys`)
    for (const [key, possible] of this.#keys) {
      const is = found.get(key) ?? null
      if (possible.has(is) || (is === null && group?.has(key))) continue
      const was = [...possible].join(' or ')
      if (is === null) this.#fault(`lost: ${key} is gone, and was ${was}`)
      else if (possible.has(null)) this.#fault(`undone: ${key} is back as ${is}, and was deleted`)
      else this.#fault(`changed: ${key} is ${is}, and was ${was}`)
    }
    for (const key of found.keys()) if (!this.#keys.has(key)) this.#fault(`${key} came from nowhere`)
    this.#keys.clear()
    for (const [key, is] of found) this.#keys.set(key, new Set([is]))
    this.#underWay.clear()
    this.#unansweredReset = undefined
  }

  #fault(text: string) {
    this.faults.push(text)
  }
}
