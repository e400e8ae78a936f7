import { askForToken, tokenHeader } from './control-token.ts'
import { errorFrom, RequestError } from './request-error.ts'

/** Where the simulator is, as the browser sees it: a proxy may have put it under a path of its own. */
export const base = location.origin + location.pathname.replace(/\/_sim\/?$/, '')

export interface ControlOptions {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export const sandboxPath = (sandbox: string, path: string) =>
  sandbox === 'default' ? path : `/sandboxes/${encodeURIComponent(sandbox)}${path}`

/** One call of the control plane. If it needs a control token, the user is asked for it. */
export async function openControl(method: string, path: string, options: ControlOptions = {}): Promise<Response> {
  const { body, signal } = options
  for (;;) {
    const auth = tokenHeader()
    const headers = {
      ...auth,
      ...options.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${base}/_sim${path}`, {
      method,
      headers,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch(error => {
      if (signal?.aborted) throw error
      throw new RequestError(0, 'The simulator does not answer. Is it still running?')
    })
    if (response.ok) return response
    if (response.status !== 401) throw errorFrom(response.status, await response.text())
    await askForToken(auth.authorization)
  }
}

export async function control<T = void>(method: string, path: string, options?: ControlOptions): Promise<T> {
  const response = await openControl(method, path, options)
  const text = await response.text()
  return (text ? JSON.parse(text) : undefined) as T
}
