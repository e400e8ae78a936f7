/** The known name closest to what was written, if it is close enough to be a slip. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  // More than three slips make another word, however long it is.
  let least = Math.min(3, Math.floor(name.length / 3)) + 1
  let looked = 0
  for (const candidate of known) {
    // A hint is not worth a pause: past this many names the search stops.
    if (++looked > 5000) break
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = editDistance(name, candidate, least)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** The sentence that names what may have been meant, to stand behind another; nothing where there is no such name. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : ` Did you mean ${name}?`)

/** The same for an unknown name; where nothing is near, what there is. */
export function suggest(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return near === undefined ? ` Known: ${known.join(', ')}` : didYouMean(near)
}

/** A text with that sentence behind it, where there is a name. */
export const withHint = (text: string, name: string | undefined) =>
  name === undefined ? text : `${text}.${didYouMean(name)}`

/** Levenshtein with swaps of neighbours counted as one; given up as soon as it cannot stay below `limit`. */
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
