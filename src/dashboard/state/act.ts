import { toRefusal } from '../wire/refusal.ts'
import { notify } from './notices.ts'

/** Does something and says so; a failure is told in the words of the answer. True when it was done. */
export async function act(what: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await what()
    if (done) notify('done', done)
    return true
  } catch (error) {
    notify('error', toRefusal(error).message)
    return false
  }
}
