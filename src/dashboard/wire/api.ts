import { signal } from '@preact/signals'
import type { Json, ListedEntry } from '../types.ts'
import { control, sandboxPath } from './control.ts'

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
