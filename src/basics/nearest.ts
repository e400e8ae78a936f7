/** The candidate closest to a name, if the name may be a typo of it. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let limit = mostEdits(name) + 1
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

/** More edits are a different word. */
const mostEdits = (name: string) => Math.min(3, Math.floor(name.length / 3))

/** Longer patterns get no hint, because the search is slow. */
const MAX_PATTERN_LENGTH = 60

/**
 * Like `nearest`, for a name with `*`, which matches any characters of a path segment (`**` of any segments). The result
 * is the pattern with its mistakes corrected: `*_api_key` for `*_apikey`.
 */
export function nearestPattern(pattern: string, candidates: Iterable<string>): string | undefined {
  if (!pattern.includes('*')) return nearest(pattern, candidates)
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined
  let best: string | undefined
  let limit = mostEdits(pattern.replaceAll('*', '')) + 1
  for (const candidate of candidates) {
    const { edits, text } = alignPattern(pattern, candidate)
    if (edits < limit) [best, limit] = [text, edits]
  }
  return best
}

/** The fewest edits after which the pattern matches the candidate, and the edited pattern. */
function alignPattern(pattern: string, candidate: string) {
  const fewest = (...cells: { edits: number; text: string }[]) => cells.reduce((a, b) => (b.edits < a.edits ? b : a))
  const edit = ({ edits, text }: { edits: number; text: string }, added: string, cost = 1) => ({
    edits: edits + cost,
    text: text + added,
  })
  let row = Array.from({ length: candidate.length + 1 }, (_, i) => ({ edits: i, text: candidate.slice(0, i) }))
  for (const token of pattern.match(/\*+|[^*]/g) ?? []) {
    const isStar = token.startsWith('*')
    const next = [isStar ? edit(row[0]!, token, 0) : edit(row[0]!, '')]
    for (const [i, character] of [...candidate].entries()) {
      const [diagonal, above, left] = [row[i]!, row[i + 1]!, next[i]!]
      if (!isStar)
        next.push(
          fewest(edit(diagonal, character, Number(token !== character)), edit(above, ''), edit(left, character)),
        )
      else if (token === '*' && character === '/') next.push(edit(above, token, 0))
      else next.push(fewest(edit(above, token, 0), left))
    }
    row = next
  }
  return row.at(-1)!
}

/** ` Did you mean x?`, to append to a sentence; empty without a name. */
export const didYouMean = (name: string | undefined) => (name === undefined ? '' : ` Did you mean ${name}?`)

/** For an unknown name: ` Did you mean x?`, or all known names if none is similar. */
export function suggest(name: string, known: readonly string[]): string {
  const closest = nearestPattern(name, known)
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
