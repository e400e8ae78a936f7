import { signal } from '@preact/signals'

const KEPT_AS = 'edgesim-control-token'

/** Set while the page waits for a control token; says whether one was tried and refused. */
export const tokenWanted = signal<'missing' | 'refused' | undefined>(undefined)

let token = sessionStorage.getItem(KEPT_AS)
let waiting: { promise: Promise<void>; go: () => void } | undefined

export const tokenHeader = (): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {})

/** Resolves when somebody has given a token. However many calls were refused, it is asked for once. */
export function askForToken(refused: string | undefined): Promise<void> {
  // Another call may have been given one meanwhile: then that is what to try with.
  if (tokenHeader().authorization !== refused) return Promise.resolve()
  if (!waiting) {
    let go = () => {}
    const promise = new Promise<void>(resolve => {
      go = resolve
    })
    waiting = { promise, go }
    tokenWanted.value = token ? 'refused' : 'missing'
  }
  return waiting.promise
}

export function giveToken(given: string) {
  token = given
  sessionStorage.setItem(KEPT_AS, given)
  tokenWanted.value = undefined
  waiting?.go()
  waiting = undefined
}
