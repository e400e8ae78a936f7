import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Explanation, JournalEntry } from '../../contract/journal-entry.ts'
import type { Failure } from '../../engine/api.ts'
import type { ApiError } from '../../engine/error.ts'
import { REDACTED } from '../../engine/language/index.ts'
import type { Call, Sandbox, StoredEntry } from '../../engine/sandbox/index.ts'
import { explain } from './explain.ts'
import {
  mayContainSecret,
  originalText,
  redact,
  redactHeaders,
  shownOnceBy,
  takesSecrets,
  withoutSecrets,
} from './secrets.ts'
import type { Sent } from './send.ts'

/** The uncounted parts of an entry. */
const OTHER_BYTES = 1024
/** The uncounted parts of a rule, all except its name and effect. */
const RULE_BYTES = 40

interface Closing {
  /** Null if no response was sent. */
  sent: Sent | null
  durationMs: number
  /** The error in the response. */
  refusal: ApiError | undefined
  /** The original body. */
  bytes: Buffer
}

/**
 * A request in the journal, from its arrival. Few entries are ever read, so slow parts (times, headers, bodies, the
 * explanation) are created on demand. Secrets are removed immediately: an entry never contains any.
 */
export class LazyEntry implements StoredEntry {
  readonly id: string
  readonly beganAt: number
  seq = 0
  seqOnArrival = 0
  stateSeq = 0
  readonly sandbox: string
  operation: string | null = null
  readonly method: string
  status: number | null = null
  duration_ms: number | null = null
  caller: JournalEntry['caller'] = null
  #rules: JournalEntry['rules'] | undefined
  #warnings: string[] | undefined
  readonly #headers: IncomingHttpHeaders
  readonly #headersLength: number
  #call: Call | undefined
  #unparsed: Pick<JournalEntry['request'], 'body' | 'encoding'> | undefined
  /** The original JSON, if it is formatted differently. */
  #text: string | undefined
  #sent: Sent | null = null
  #explanation: Explanation | null = null

  constructor(
    sandbox: Sandbox,
    req: IncomingMessage,
    readonly path: string,
    readonly search: string,
    readonly source_ip: string,
    readonly baseUrl: string,
    readonly arrival: number,
  ) {
    this.id = sandbox.ids.id('op')
    this.sandbox = sandbox.name
    this.method = req.method ?? 'GET'
    this.beganAt = sandbox.clock.now()
    this.#headers = redactHeaders(req.headers, sandbox.api.secretHeaders)
    this.#headersLength = lengthOfAll(req.rawHeaders)
    sandbox.journal.open(this, sandbox.seq)
  }

  /** Completes the entry with the response, the change and the explanation. */
  close(call: Call, { sent, durationMs, refusal, bytes }: Closing) {
    const { sandbox, change } = call
    const names = shownOnceBy(call)
    call.body = withoutSecrets(call.api.catalog, call.operation, redact(call.body, names))
    this.#call = call
    if (bytes.length > 0 && !this.#unparsed) this.#text = originalText(call, bytes)
    if (sent?.body) sent.body = redact(sent.body, names)
    this.#sent = sent
    this.status = sent?.status ?? null
    this.duration_ms = Math.round(durationMs * 1000) / 1000
    // An error is explained now, because the explanation depends on the current state.
    if (refusal || !sent || call.usedFrozenClock) this.#explanation = explain(call, refusal, sent !== null)
    sandbox.journal.close(this, this.#size() + bytes.length, change && change.seq - 1)
    sandbox.emit({ type: 'request', sandbox: sandbox.name, data: this, oldestSeq: sandbox.journal.oldestSeq })
  }

  /** Shows the original body (up to MAX_API_BODY_BYTES) if it is not a JSON object, unless it may contain a secret. */
  showUnparsed(bytes: Buffer, { api, operation }: Call) {
    const isSecretive = operation !== undefined && takesSecrets(operation)
    if (isSecretive || mayContainSecret(api.catalog, bytes.toString('latin1'))) this.#unparsed = { body: REDACTED }
    else
      this.#unparsed = isUtf8(bytes)
        ? { body: bytes.toString() }
        : { body: bytes.toString('base64'), encoding: 'base64' }
  }

  get rules(): JournalEntry['rules'] {
    this.#rules ??= []
    return this.#rules
  }

  get warnings(): string[] {
    this.#warnings ??= []
    return this.#warnings
  }

  get at(): string {
    return new Date(this.beganAt).toISOString()
  }

  get query(): Record<string, string> {
    return this.search ? Object.fromEntries(new URLSearchParams(this.search)) : {}
  }

  get request(): JournalEntry['request'] {
    const body = this.#call?.body ?? {}
    const headers = { ...this.#headers } as Record<string, string>
    const isPlain = this.search === '' || this.search === `?${new URLSearchParams(this.query)}`
    const search = isPlain ? {} : { search: this.search }
    if (this.#unparsed) return { headers, ...this.#unparsed, ...search }
    const text = this.#text
    // Null for an empty body, and for a body that was not read.
    const shown = Object.keys(body).length > 0 ? body : null
    return { headers, body: shown, ...(text !== undefined && { text }), ...search }
  }

  get response(): JournalEntry['response'] {
    const sent = this.#sent
    if (!sent) return null
    const body = sent.text === undefined ? (sent.body ?? null) : JSON.parse(sent.text.join(''))
    return { headers: stringValues(sent.headers), body }
  }

  get failure(): Failure | undefined {
    return this.#sent?.failure
  }

  get assumptions(): { name: string; value: string }[] {
    return this.#call?.assumptions ?? []
  }

  get change(): JournalEntry['change'] {
    const change = this.#call?.change
    return change ? { seq: change.seq, ops: change.ops } : null
  }

  get explanation(): Explanation | null {
    if (this.#call) this.#explanation ??= explain(this.#call, undefined, true)
    return this.#explanation
  }

  toJSON(): JournalEntry {
    const { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller } = this
    const { request, response, rules, assumptions, warnings, change, explanation } = this
    const head = { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller }
    return { ...head, request, response, rules, assumptions, warnings, change, explanation }
  }

  /** The approximate size. Cheap for most entries, which have neither a body nor a change. */
  #size(): number {
    const { path, search } = this
    const { change } = this.#call!
    let bytes = OTHER_BYTES + path.length + search.length + this.#headersLength
    bytes += Number(this.#sent?.headers['Content-Length'] ?? 0) + (this.#explanation?.text.length ?? 0)
    bytes += this.#text?.length ?? 0
    for (const text of this.#warnings ?? []) bytes += text.length
    for (const { name, effect } of this.#rules ?? []) bytes += name.length + effect.length + RULE_BYTES
    return change ? bytes + change.length : bytes
  }
}

function lengthOfAll(texts: string[]): number {
  let length = 0
  for (let i = 0; i < texts.length; i++) length += texts[i]!.length
  return length
}

const stringValues = (headers: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
