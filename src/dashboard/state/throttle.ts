/** At once where nothing was lately; else once after that time, however often it is asked for. */
export function throttle(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  return function run() {
    if (timer !== undefined) {
      again = true
      return
    }
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (again) {
        again = false
        run()
      }
    }, ms)
  }
}
