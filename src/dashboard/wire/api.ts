import { signal } from '@preact/signals'
import { parseJson } from '../../basics/json.ts'
import type { ListedEntry } from '../types.ts'
import { base, control, fetchWith, sandboxPath } from './control.ts'
import { errorFrom, RequestError } from './request-error.ts'

/** Operation ids of calls sent by the dashboard. The request log marks them. */
export const ownCalls = signal<ReadonlySet<string>>(new Set())

/** Sent with every call of the dashboard, to recognize the call after a reload. */
export const CLIENT_HEADER = 'edgesim-client'

const noteOwn = (id: string | null) => {
  if (id) ownCalls.value = new Set([...ownCalls.value, id])
}

const failure = (what: string) => () => {
  throw new RequestError(0, `${what}. The active scenario may have caused this. See the request log.`)
}

/** Calls the simulated API. The journal records the call like any other. */
export async function callApi<T>(auth: Record<string, string>, method: string, path: string, body: unknown) {
  const headers = { ...auth, [CLIENT_HEADER]: 'page' }
  const response = await fetchWith(body, base + path, { method, headers }).catch(failure('No response'))
  noteOwn(response.headers.get('edgesim-operation-id'))
  const text = await response.text().catch(failure('The response was cut off'))
  if (!response.ok) throw errorFrom(response.status, text)
  const parsed = parseJson(text)
  if (text && parsed === undefined)
    throw new RequestError(response.status, `The response has status ${response.status}, but is not JSON.`)
  return parsed as T
}

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

/** Sends one request to the API of a sandbox. The simulator sends it, because a browser cannot omit headers. */
export async function callIn(sandbox: string, call: { headers?: Record<string, string | null> }) {
  const headers = { ...call.headers, [CLIENT_HEADER]: 'page' }
  const response = await control<CallResponse>('POST', sandboxPath(sandbox, '/call'), { body: { ...call, headers } })
  noteOwn(response.id)
  return response
}
