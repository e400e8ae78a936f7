/** The candidate closest to a name, if the name may be a typo of it. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  // More than three edits are a different word.
  let limit = Math.min(3, Math.floor(name.length / 3)) + 1
  let count = 0
  for (const candidate of candidates) {
    // A hint is not worth a long pause.
    if (++count > 5000) break
    if (Math.abs(candidate.length - name.length) >= limit) continue
    const distance = editDistance(name, candidate, limit)
    if (distance < limit) [best, limit] = [candidate, distance]
  }
  return best
}

/** ` Did you mean x?`, to append to a sentence; empty without a name. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : ` Did you mean ${name}?`)

/** For an unknown name: ` Did you mean x?`, or all known names if none is similar. */
export function suggest(name: string, known: readonly string[]): string {
  const closest = nearest(name, known)
  return closest === undefined ? ` Known: ${known.join(', ')}` : didYouMean(closest)
}

/** `text. Did you mean x?`; only the text without a name. */
export const withHint = (text: string, name: string | undefined) =>
  name === undefined ? text : `${text}.${didYouMean(name)}`

/** Levenshtein distance, with a swap of neighbours as one edit. Returns `limit` if the distance exceeds it. */
function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let lowest = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1)
      lowest = Math.min(lowest, next[j]!)
    }
    ;[before, row] = [row, next]
    if (lowest > limit) return limit
  }
  return row[b.length]!
}
