import { signal } from '@preact/signals'

const STORAGE_KEY = 'edgesim-control-token'

/** Set while the dashboard waits for a control token. */
export const tokenPrompt = signal<'missing' | 'rejected' | undefined>(undefined)

let token = sessionStorage.getItem(STORAGE_KEY)
let waiting: { promise: Promise<void>; resolve: () => void } | undefined

export const tokenHeader = (): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {})

/** Resolves when the user has entered a token. Rejected calls share one prompt. */
export function promptForToken(rejected: string | undefined): Promise<void> {
  // The token has changed since the rejected call: retry with the new one.
  if (tokenHeader().authorization !== rejected) return Promise.resolve()
  if (!waiting) {
    let resolve = () => {}
    const promise = new Promise<void>(settle => {
      resolve = settle
    })
    waiting = { promise, resolve }
    tokenPrompt.value = token ? 'rejected' : 'missing'
  }
  return waiting.promise
}

export function submitToken(entered: string) {
  token = entered
  sessionStorage.setItem(STORAGE_KEY, entered)
  tokenPrompt.value = undefined
  waiting?.resolve()
  waiting = undefined
}
