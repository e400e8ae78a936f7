/** The candidate that is closest to a name, if it is close enough to be a typo. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  // More than three edits make another word, however long it is.
  let limit = Math.min(3, Math.floor(name.length / 3)) + 1
  let count = 0
  for (const candidate of candidates) {
    // Limit the search: a hint is not worth a long pause.
    if (++count > 5000) break
    if (Math.abs(candidate.length - name.length) >= limit) continue
    const distance = editDistance(name, candidate, limit)
    if (distance < limit) [best, limit] = [candidate, distance]
  }
  return best
}

/** ` Did you mean x?`, to append to a sentence; empty when there is no name. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : ` Did you mean ${name}?`)

/** For an unknown name: ` Did you mean x?`, or all known names when none is near. */
export function suggest(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return near === undefined ? ` Known: ${known.join(', ')}` : didYouMean(near)
}

/** `text. Did you mean x?`; only the text when there is no name. */
export const withHint = (text: string, name: string | undefined) =>
  name === undefined ? text : `${text}.${didYouMean(name)}`

/** Levenshtein distance in which a swap of neighbours counts as one edit. Returns `limit` once that is exceeded. */
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
