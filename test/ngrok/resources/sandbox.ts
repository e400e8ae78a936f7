import { expect } from 'vitest'
import type { Simulated } from '../../support/in-process.ts'

/** A function that returns calls to a new sandbox, named after `kind`: to its API, and below its `/_sim` path. */
export function sandboxesOf({ call }: Pick<Simulated, 'call'>, kind: string) {
  let count = 0
  return () => {
    const name = `${kind}-${++count}`
    const as = (token: string) => (method: string, path: string, body?: unknown) =>
      call(method, path, body, { token: token.includes('~') ? token : `${token}~${name}` })
    const send = as('sim_admin')
    const sim = (method: string, path: string, body?: unknown) => call(method, `/_sim/sandboxes/${name}${path}`, body)
    const create = async (path: string, body: unknown = {}) => {
      const response = await send('POST', path, body)
      expect(response.status, response.text).toBe(201)
      return response.body
    }
    return { as, send, sim, create }
  }
}
