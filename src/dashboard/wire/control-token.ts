import { signal } from '@preact/signals'

const STORAGE_KEY = 'edgesim-control-token'

/** Set while the page waits for a control token; says whether one was tried and refused. */
export const tokenWanted = signal<'missing' | 'refused' | undefined>(undefined)

let token = sessionStorage.getItem(STORAGE_KEY)
let waiting: { promise: Promise<void>; go: () => void } | undefined

export const tokenHeader = (): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {})

/** Resolves when a token was given. It is asked for once, however many calls were refused. */
export function askForToken(refused: string | undefined): Promise<void> {
  // A token was given after the refused call was sent: try that one first.
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
  sessionStorage.setItem(STORAGE_KEY, given)
  tokenWanted.value = undefined
  waiting?.go()
  waiting = undefined
}
