import { promptForToken, tokenHeader } from './control-token.ts'
import { errorFrom, RequestError } from './request-error.ts'

/** The simulator's base URL, as seen by the browser. A proxy may add a path. */
export const base = location.origin + location.pathname.replace(/\/_sim\/?$/, '')

export interface ControlOptions {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export const sandboxPath = (sandbox: string, path: string) =>
  sandbox === 'default' ? path : `/sandboxes/${encodeURIComponent(sandbox)}${path}`

/** Calls the control API. Prompts for a control token if one is required. */
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
      throw new RequestError(0, 'No response from edgesim. Check that it is still running.')
    })
    if (response.ok) return response
    if (response.status !== 401) throw errorFrom(response.status, await response.text())
    await promptForToken(auth.authorization)
  }
}

export async function control<T = void>(method: string, path: string, options?: ControlOptions): Promise<T> {
  const response = await openControl(method, path, options)
  const text = await response.text()
  return (text ? JSON.parse(text) : undefined) as T
}
