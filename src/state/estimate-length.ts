const SAMPLES = 50

/** About how long a list is as JSON: by a few of them, where there are many. */
export function estimateLength(list: readonly unknown[]): number {
  const step = Math.max(1, Math.floor(list.length / SAMPLES))
  let [sum, count] = [0, 0]
  for (let i = 0; i < list.length; i += step, count++) sum += JSON.stringify(list[i]).length
  return count === 0 ? 0 : Math.round((sum / count) * list.length)
}
