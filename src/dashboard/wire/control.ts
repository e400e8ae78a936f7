import { signal } from '@preact/signals'
import type { Json, ListedEntry } from '../types.ts'
import { errorFrom, RequestError } from './request-error.ts'

/** The simulator's base URL, as seen by the browser. A proxy may add a path. */
export const base = location.origin + location.pathname.replace(/\/_sim\/?$/, '')

const STORAGE_KEY = 'edgesim-control-token'

/** Set while the dashboard waits for a control token. */
export const tokenPrompt = signal<'missing' | 'rejected' | undefined>(undefined)

let token = sessionStorage.getItem(STORAGE_KEY)
let waiting: (() => void)[] = []

/** Resolves when the user has entered a token. All rejected calls share the prompt. */
function promptForToken() {
  tokenPrompt.value = token ? 'rejected' : 'missing'
  return new Promise<void>(resolve => waiting.push(resolve))
}

export function submitToken(entered: string) {
  token = entered
  sessionStorage.setItem(STORAGE_KEY, entered)
  tokenPrompt.value = undefined
  for (const resolve of waiting) resolve()
  waiting = []
}

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
    const sent = token
    const headers = {
      ...(sent && { authorization: `Bearer ${sent}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    }
    const init = { method, headers, signal, body: JSON.stringify(body) }
    const response = await fetch(`${base}/_sim${path}`, init).catch(error => {
      if (signal?.aborted) throw error
      throw new RequestError(0, 'No response from edgesim. Check that it is still running.')
    })
    if (response.ok) return response
    if (response.status !== 401) throw errorFrom(response.status, await response.text())
    // Another call may have prompted for a new token since. Then this one is sent again.
    if (token === sent) await promptForToken()
  }
}

export async function control<T = void>(method: string, path: string, options?: ControlOptions): Promise<T> {
  const response = await openControl(method, path, options)
  const text = await response.text()
  return (text ? JSON.parse(text) : undefined) as T
}

/** Operation ids of calls sent by the dashboard. The request log marks them. */
export const ownCalls = signal<ReadonlySet<string>>(new Set())

/** Sent with every call of the dashboard, to recognize the call after a reload. */
export const CLIENT_HEADER = 'edgesim-client'

/** The response of POST /_sim/call. */
export interface CallResponse extends Pick<ListedEntry, 'rules' | 'assumptions' | 'warnings' | 'explanation'> {
  /** Null if the request is not in the journal. */
  id: string | null
  /** Null if there was no response. */
  status: number | null
  headers: Record<string, string>
  body: unknown
  /** The connection error. */
  failure: string | null
}

/** Calls the API of a sandbox. The simulator sends the request, because a browser cannot omit headers. */
export async function callIn(sandbox: string, call: Json & { headers?: Record<string, string | null> }) {
  const headers = { ...call.headers, [CLIENT_HEADER]: 'page' }
  const response = await control<CallResponse>('POST', sandboxPath(sandbox, '/call'), { body: { ...call, headers } })
  if (response.id) ownCalls.value = new Set([...ownCalls.value, response.id])
  return response
}
