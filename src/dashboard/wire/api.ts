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

/** Ids of calls that the page made: the list of requests marks them. */
export const ownCalls = signal<ReadonlySet<string>>(new Set())

/** Sent with every call of the page, so that it is known after a reload too. */
export const CLIENT_HEADER = 'edgesim-client'

/** A call of the simulated API, recorded in the journal like that of any client. */
export async function callApi<T = Json>(access: ApiAccess, method: string, path: string, body?: unknown): Promise<T> {
  const { vendor, token, version } = access
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      [versionHeader(vendor)]: API_VERSION,
      // Not every browser lets a page set its User-Agent; the header below always arrives.
      'user-agent': `edgesim-page/${version}`,
      [CLIENT_HEADER]: 'page',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new RequestError(0, 'No answer came. A scenario in use may be the cause: look at the journal.')
  })
  const id = response.headers.get('edgesim-operation-id')
  if (id) ownCalls.value = new Set([...ownCalls.value, id])
  const text = await response.text().catch(() => {
    throw new RequestError(0, 'The answer ended too early. A scenario in use may be the cause: look at the journal.')
  })
  if (!response.ok) throw errorFrom(response.status, text)
  try {
    return (text ? JSON.parse(text) : undefined) as T
  } catch {
    throw new RequestError(response.status, `The answer was ${response.status}, but it is not JSON.`)
  }
}

/** What POST /_sim/call answers. */
export interface CallResponse extends Pick<ListedEntry, 'rules' | 'assumptions' | 'warnings' | 'explanation'> {
  /** Null if the request is not in the journal. */
  id: string | null
  /** Null if there was no answer. */
  status: number | null
  headers: Record<string, string>
  body: unknown
  /** What went wrong with the connection. */
  failure: string | null
}

/** Sends one request to the API of a sandbox. The simulator sends it: a browser could not leave out headers. */
export async function callIn(
  sandbox: string,
  call: { headers?: Record<string, string | null> },
): Promise<CallResponse> {
  const headers = { ...call.headers, [CLIENT_HEADER]: 'page' }
  const response = await control<CallResponse>('POST', sandboxPath(sandbox, '/call'), { body: { ...call, headers } })
  if (response.id) ownCalls.value = new Set([...ownCalls.value, response.id])
  return response
}
