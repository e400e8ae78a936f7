import { signal } from '@preact/signals'
import { API_VERSION, versionHeader } from '../../contract/names.ts'
import type { Json, ListedEntry } from '../types.ts'
import { base, control, sandboxPath } from './control.ts'
import { errorFrom, RequestError } from './request-error.ts'

export interface ApiAccess {
  token: string
  vendor: string
  version: string
}

/** Operation ids of calls sent by the dashboard. The request log marks them. */
export const ownCalls = signal<ReadonlySet<string>>(new Set())

/** Sent with every call of the dashboard, to recognize the call after a reload. */
export const CLIENT_HEADER = 'edgesim-client'

/** Calls the simulated API. The journal records the call like any other. */
export async function callApi<T = Json>(access: ApiAccess, method: string, path: string, body?: unknown): Promise<T> {
  const { vendor, token, version } = access
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      [versionHeader(vendor)]: API_VERSION,
      // Some browsers don't allow setting User-Agent. The next header is always sent.
      'user-agent': `edgesim-page/${version}`,
      [CLIENT_HEADER]: 'page',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new RequestError(0, 'No response. The active scenario may have caused this. See the request log.')
  })
  const id = response.headers.get('edgesim-operation-id')
  if (id) ownCalls.value = new Set([...ownCalls.value, id])
  const text = await response.text().catch(() => {
    throw new RequestError(
      0,
      'The response was cut off. The active scenario may have caused this. See the request log.',
    )
  })
  if (!response.ok) throw errorFrom(response.status, text)
  try {
    return (text ? JSON.parse(text) : undefined) as T
  } catch {
    throw new RequestError(response.status, `The response has status ${response.status}, but is not JSON.`)
  }
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
export async function callIn(
  sandbox: string,
  call: { headers?: Record<string, string | null> },
): Promise<CallResponse> {
  const headers = { ...call.headers, [CLIENT_HEADER]: 'page' }
  const response = await control<CallResponse>('POST', sandboxPath(sandbox, '/call'), { body: { ...call, headers } })
  if (response.id) ownCalls.value = new Set([...ownCalls.value, response.id])
  return response
}
