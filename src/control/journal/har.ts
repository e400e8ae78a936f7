import { STATUS_CODES } from 'node:http'
import type { HarEntry, HarHead, HarPair } from '../../contract/har.ts'
import type { JournalEntry } from '../../contract/journal-entry.ts'
import type { StoredEntry } from '../../engine/sandbox/journal.ts'

type Begin = Pick<StoredEntry, 'sandbox' | 'beganAt'>

/** The HAR log without its entries, which can be too many to create at the same time. `entries` are in log order. */
export function harHead(entries: Iterable<Begin>, version: string, comment?: string): HarHead {
  const first = new Map<string, number>()
  for (const { sandbox, beganAt } of entries) if (!first.has(sandbox)) first.set(sandbox, beganAt)
  const pages = Array.from(first, ([name, at]) => ({
    id: name,
    title: name,
    startedDateTime: new Date(at).toISOString(),
    pageTimings: {},
  }))
  return { version: '1.2', creator: { name: 'edgesim', version }, pages, comment }
}

/** A request in the journal, which contains no secrets. */
export function harEntry(entry: StoredEntry): HarEntry {
  const { id, sandbox, operation, rules, explanation } = entry
  const time = entry.duration_ms ?? 0
  return {
    pageref: sandbox,
    startedDateTime: new Date(entry.beganAt).toISOString(),
    time,
    request: requestOf(entry),
    response: responseOf(entry),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    // Without it, Chrome shows the first request of a page as the page itself.
    _resourceType: 'fetch',
    _operationId: id,
    _operation: operation,
    _sandbox: sandbox,
    _rules: rules.length > 0 ? rules : undefined,
    _explanation: explanation?.text,
  }
}

/** Shared by requests and responses. */
const MESSAGE = { httpVersion: 'HTTP/1.1', cookies: [] as [], headersSize: -1 }

function requestOf({ method, baseUrl, path, search, request }: StoredEntry): HarEntry['request'] {
  const { headers, body, encoding } = request
  const text = request.text ?? (body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  // The journal stores whole bodies, so the announced length is right. Other bodies have only that length.
  const length = headers['content-length'] ?? (text === undefined ? 0 : Buffer.byteLength(text, encoding))
  const unknown = text === undefined && (Number(length) > 0 || headers['transfer-encoding'] !== undefined)
  return {
    ...MESSAGE,
    method,
    url: baseUrl + (path + search).replace(UNSAFE, percent),
    headers: pairsOf(headers),
    queryString: Array.from(new URLSearchParams(search), ([name, value]) => ({ name, value })),
    postData: text === undefined ? undefined : { mimeType: mimeTypeOf(request), text, encoding },
    bodySize: unknown ? -1 : Number(length),
  }
}

const mimeTypeOf = ({ headers, body }: JournalEntry['request']) =>
  headers['content-type'] ?? (typeof body === 'string' ? 'x-unknown' : 'application/json')

function responseOf({ status, response, duration_ms, explanation }: StoredEntry): HarEntry['response'] {
  if (!response) {
    const why = duration_ms === null ? 'No response was sent yet.' : (explanation?.text ?? 'No response was sent.')
    const content = { size: 0, mimeType: 'x-unknown' }
    return { ...MESSAGE, status: 0, statusText: '', headers: [], content, redirectURL: '', bodySize: -1, _error: why }
  }
  const { headers, body } = response
  const size = Number(headers['content-length'] ?? 0)
  return {
    ...MESSAGE,
    status: status!,
    statusText: STATUS_CODES[status!] ?? '',
    headers: pairsOf(headers),
    content: {
      size,
      mimeType: headers['content-type'] ?? 'x-unknown',
      text: body === null ? undefined : JSON.stringify(body),
    },
    redirectURL: headers.location ?? '',
    bodySize: size,
    // Without it, Chrome adds the size of the headers, which is -1.
    _transferSize: size,
  }
}

/** Node lists the values of repeated headers that cannot be joined, like Set-Cookie. */
const pairsOf = (headers: Record<string, string | string[]>): HarPair[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map(value => ({ name, value })))

/** Characters that are invalid in a URL, although a client may send them. */
const UNSAFE = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![\da-f]{2})/gi
const percent = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
