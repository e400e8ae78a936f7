export interface CallOptions {
  /** null sends no Authorization header. */
  token?: string | null
  /** null sends no version header. */
  version?: string | null
  headers?: Record<string, string>
  /** Sent as it is; an object given as the body is sent as JSON. */
  raw?: string | Uint8Array
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of many shapes
  body: any
}

/** Calls of the API and the control plane of a simulator, with a token of its own unless told otherwise. */
export function callsOf(
  { url, token: usual, vendor = 'service' }: { url: string; token: string | null; vendor?: string },
  check?: (method: string, path: string, answer: Answer) => void,
) {
  async function call(method: string, path: string, body?: unknown, how: CallOptions = {}): Promise<Answer> {
    const { token = usual, version = '2', raw } = how
    const headers: Record<string, string> = {}
    if (token !== null) headers.authorization = `Bearer ${token}`
    if (version !== null) headers[`${vendor}-version`] = version
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...how.headers },
      body: sent as RequestInit['body'],
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: text ? JSON.parse(text) : undefined,
    }
    check?.(method, path, answer)
    return answer
  }

  /** The same calls, made with another token. */
  const as =
    (token: string | null) =>
    (method: string, path: string, body?: unknown, how: CallOptions = {}) =>
      call(method, path, body, { ...how, token })

  return { call, as }
}
