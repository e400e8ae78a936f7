let second = -1
let text = ''

/** The Date header, formatted once a second and not once a request. */
export function httpDate(now: number): string {
  const current = Math.floor(now / 1000)
  if (current !== second) [second, text] = [current, new Date(current * 1000).toUTCString()]
  return text
}
