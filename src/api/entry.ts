import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isObject } from '../basics/json.ts'
import { PRIVATE_KEY_MARK } from '../basics/problem.ts'
import type { AssumptionName } from '../contract/assumptions.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Entry, Explanation } from '../contract/journal-entry.ts'
import type { OperationName } from '../contract/shapes.ts'
import { collections, entryLists, modules } from '../resources/index.ts'
import type { Call, Recorded, Sandbox } from '../sandbox/index.ts'
import {
  type Fields,
  formatTime,
  haveSecrets,
  type Operation,
  REDACTED,
  redactNamed,
  redactRequest,
  secretNames,
} from '../schema/index.ts'
import { explain } from './explain.ts'
import type { Sent } from './send.ts'

/** The names of fields that nothing shows again; found when they are first asked for, which is after a start. */
let secrets: string[] | undefined
function namesOfSecrets(): string[] {
  secrets ??= [...new Set([...collections, ...modules, ...entryLists].flatMap(({ fields }) => secretNames(fields)))]
  return secrets
}

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie'] as const

/** The parts of an entry whose length is not counted. */
const OTHER_BYTES = 1024
/** The same of a rule: all but its name and effect. */
const RULE_BYTES = 40

interface Closing {
  /** Null when no answer was sent. */
  sent: Sent | null
  durationMs: number
  /** The error that decided the answer, if one did. */
  refusal: ApiError | undefined
  bodyBytes: number
}

/**
 * A request in the journal, from the moment it arrived. Few entries are ever looked at: the parts that take time to
 * make (times, headers, bodies, the explanation) are made when somebody asks for them. Secrets are removed at once: an
 * entry never holds any.
 */
export class JournalEntry implements Recorded {
  readonly id: string
  readonly beganAt: number
  seq = 0
  bytes = 0
  seqOnArrival = 0
  stateSeq = 0
  readonly sandbox: string
  operation: OperationName | null = null
  readonly method: string
  status: number | null = null
  duration_ms: number | null = null
  caller: Entry['caller'] = null
  #rules: Entry['rules'] | undefined
  #warnings: string[] | undefined
  readonly #headers: IncomingHttpHeaders
  readonly #headersLength: number
  #call: Call | undefined
  #unparsed: Pick<Entry['request'], 'body' | 'encoding'> | undefined
  #sent: Sent | null = null
  #explanation: Explanation | null = null

  constructor(
    sandbox: Sandbox,
    req: IncomingMessage,
    readonly path: string,
    readonly search: string,
    readonly source_ip: string,
    readonly baseUrl: string,
  ) {
    this.id = sandbox.ids.operation()
    this.sandbox = sandbox.name
    this.method = req.method ?? 'GET'
    this.beganAt = sandbox.clock.now()
    this.#headers = redactHeaders(req.headers)
    this.#headersLength = lengthOfAll(req.rawHeaders)
    sandbox.journal.open(this, sandbox.seq)
  }

  /** Completes the entry: what was answered, what was changed, and why. */
  close(call: Call, { sent, durationMs, refusal, bodyBytes }: Closing) {
    const { sandbox, change } = call
    const names = shownOnceBy(call)
    call.body = withoutSecrets(call.operation, redact(call.body, names))
    this.#call = call
    if (sent?.body) sent.body = redact(sent.body, names)
    this.#sent = sent
    this.status = sent?.status ?? null
    this.duration_ms = Math.round(durationMs * 1000) / 1000
    // An error is explained now: the explanation depends on the present state.
    if (refusal || !sent || call.clockPlayedAPart) this.#explanation = explain(call, refusal, sent !== null)
    sandbox.journal.close(this, this.#size() + bodyBytes, change && change.seq - 1)
    sandbox.emit({ type: 'request', sandbox: sandbox.name, data: this })
  }

  /** Shows a body that is not a JSON object as it was sent (at most MAX_API_BODY_BYTES), unless it may have a secret. */
  showUnparsed(bytes: Buffer, operation: Operation | undefined) {
    const isSecretive = operation !== undefined && takesSecrets(operation)
    if (isSecretive || [...namesOfSecrets(), PRIVATE_KEY_MARK].some(mark => bytes.includes(mark)))
      this.#unparsed = { body: REDACTED }
    else
      this.#unparsed = isUtf8(bytes)
        ? { body: bytes.toString() }
        : { body: bytes.toString('base64'), encoding: 'base64' }
  }

  get rules(): Entry['rules'] {
    this.#rules ??= []
    return this.#rules
  }

  get warnings(): string[] {
    this.#warnings ??= []
    return this.#warnings
  }

  get at(): string {
    return formatTime(this.beganAt)
  }

  get query(): Record<string, string> {
    return this.search ? Object.fromEntries(new URLSearchParams(this.search)) : {}
  }

  get request(): Entry['request'] {
    const body = this.#call?.body ?? {}
    const headers = { ...this.#headers } as Record<string, string>
    if (this.#unparsed) return { headers, ...this.#unparsed }
    // Null for an empty body, and for one that was not read.
    return { headers, body: Object.keys(body).length > 0 ? body : null }
  }

  get response(): Entry['response'] {
    const sent = this.#sent
    if (!sent) return null
    const body = sent.text === undefined ? (sent.body ?? null) : JSON.parse(sent.text)
    return { headers: stringValues(sent.headers), body }
  }

  get assumptions(): { name: AssumptionName; value: string }[] {
    return this.#call?.assumptions ?? []
  }

  get change(): Entry['change'] {
    const change = this.#call?.change
    return change ? { seq: change.seq, ops: change.ops } : null
  }

  get explanation(): Explanation | null {
    if (this.#call) this.#explanation ??= explain(this.#call, undefined, true)
    return this.#explanation
  }

  toJSON(): Entry {
    const { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller } = this
    const { request, response, rules, assumptions, warnings, change, explanation } = this
    const head = { id, seq, at, sandbox, operation, method, path, query, status, duration_ms, source_ip, caller }
    return { ...head, request, response, rules, assumptions, warnings, change, explanation }
  }

  /** Roughly what it takes. Cheap for most entries: they have neither a body nor a change. */
  #size(): number {
    const { path, search } = this
    const { change } = this.#call!
    let bytes = OTHER_BYTES + path.length + search.length + this.#headersLength
    bytes += Number(this.#sent?.headers['Content-Length'] ?? 0) + (this.#explanation?.text.length ?? 0)
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

/** In the request itself: nothing that outlives it has the secrets. */
function redactHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name of SECRET_HEADERS) if (headers[name] !== undefined) headers[name] = REDACTED
  return headers
}

/** The fields that only one answer shows, such as the token of a new key. */
function shownOnceBy({ operation }: Call): readonly string[] {
  const resource = operation?.resource
  return (resource && 'shownOnce' in resource && resource.shownOnce) || NO_FIELDS
}

const NO_FIELDS: readonly string[] = []

/** Whether an operation has fields that nothing shows again. */
function takesSecrets(operation: Operation): boolean {
  const takes = secretive.get(operation) ?? haveSecrets(operation.resource.fields)
  secretive.set(operation, takes)
  return takes
}
const secretive = new WeakMap<Operation, boolean>()

/** A secret may also be sent to an operation that takes none, or to a path that does not exist. */
function withoutSecrets(operation: Operation | undefined, body: Record<string, unknown>) {
  if (Object.keys(body).length === 0) return body
  const fields = operation?.resource.fields ?? {}
  const clean = (values: Record<string, unknown>) =>
    operation && takesSecrets(operation) ? redactRequest(fields, values) : redactUndeclared(fields, values)
  const own = clean(body)
  const all = isObject(body.module) ? { ...own, module: clean(body.module) } : own
  return redactNamed([], all) as Record<string, unknown>
}

function redactUndeclared(fields: Fields, values: Record<string, unknown>): Record<string, unknown> {
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(fields, name))
  if (others.length === 0) return values
  return { ...values, ...(redactNamed(namesOfSecrets(), Object.fromEntries(others)) as Record<string, unknown>) }
}

function redact(body: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  let redacted = body
  for (const name of names) if (typeof body[name] === 'string') redacted = { ...redacted, [name]: REDACTED }
  return redacted
}

const stringValues = (headers: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
