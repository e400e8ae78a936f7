export interface HarPair {
  name: string
  value: string
}

/** HAR 1.2, which browser network panels open. Fields that start with `_` are not in the standard. */
export interface Har<Operation extends string = string> {
  log: HarHead & { entries: HarEntry<Operation>[] }
}

export interface HarHead {
  version: '1.2'
  creator: { name: string; version: string }
  /** One per sandbox, because viewers group by page. */
  pages: { id: string; title: string; startedDateTime: string; pageTimings: object }[]
  comment?: string
}

export interface HarEntry<Operation extends string = string> {
  pageref: string
  startedDateTime: string
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    cookies: []
    headers: HarPair[]
    queryString: HarPair[]
    postData?: { mimeType: string; text: string; encoding?: 'base64' }
    headersSize: number
    bodySize: number
  }
  response: {
    /** Zero without a response. */
    status: number
    statusText: string
    httpVersion: string
    cookies: []
    headers: HarPair[]
    content: { size: number; mimeType: string; text?: string }
    redirectURL: string
    headersSize: number
    bodySize: number
    _transferSize?: number
    /** Why there was no response. */
    _error?: string
  }
  cache: object
  timings: { send: number; wait: number; receive: number }
  _resourceType: string
  _operationId: string
  _operation: Operation | null
  _sandbox: string
  _rules?: { name: string; fired: boolean; effect: string }[]
  _explanation?: string
}
