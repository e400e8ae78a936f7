import type { IncomingMessage } from 'node:http'
import type { ApiError } from '../errors.ts'
import type { Call, Entry, Sandbox } from '../sandbox/index.ts'
import { isCollection, type RecordKind } from '../schema/index.ts'
import { type Change, lengthOf } from '../state/index.ts'
import { explain } from './explain.ts'
import type { Sent } from './send.ts'

const HIDDEN = ['authorization', 'proxy-authorization', 'cookie']

/** The size of an entry without the parts that are counted. */
const OTHER_BYTES = 1024
/** Of a rule without its name and effect. */
const RULE_BYTES = 40

interface Opening {
  path: string
  query: Record<string, string>
  sourceIp: string
}

/** Opens the journal's entry of a request: from here on its answer is on record. */
export function openEntry(sandbox: Sandbox, req: IncomingMessage, { path, query, sourceIp }: Opening): Entry {
  const entry: Entry = {
    id: sandbox.ids.id('op'),
    seq: 0,
    at: sandbox.clock.timestamp(),
    sandbox: sandbox.name,
    operation: null,
    method: req.method ?? 'GET',
    path,
    query,
    status: null,
    duration_ms: null,
    source_ip: sourceIp,
    caller: null,
    request: { headers: withoutSecrets(req.headers as Record<string, string>), body: null },
    response: null,
    rules: [],
    assumptions: [],
    warnings: [],
    change: null,
    explanation: null,
  }
  sandbox.journal.open(entry, sandbox.seq)
  return entry
}

interface Closing {
  /** Null when no answer was sent. */
  sent: Sent | null
  durationMs: number
  /** The error that decided the answer, if one did. */
  refusal: ApiError | undefined
}

/** Completes the entry: what was answered, what was changed, and why. */
export function closeEntry(call: Call, { sent, durationMs, refusal }: Closing) {
  const { entry, sandbox, change } = call
  entry.status = sent?.status ?? null
  entry.duration_ms = Math.round(durationMs * 1000) / 1000
  // An empty body and one that cannot be parsed are null.
  entry.request.body = Object.keys(call.body).length > 0 ? redact(call, call.body) : null
  entry.response = sent && { headers: stringValues(sent.headers), body: redact(call, sent.body) }
  entry.assumptions = call.assumptions
  entry.change = change ? { seq: change.seq, ops: change.ops } : null
  entry.explanation = explain(call, refusal, sent !== null)
  sandbox.journal.close(entry, sizeOf(entry, change), change && change.seq - 1)
  sandbox.emit({ type: 'request', sandbox: sandbox.name, data: entry })
}

function withoutSecrets(given: Record<string, string>): Record<string, string> {
  const headers = { ...given }
  for (const name of HIDDEN) if (headers[name] !== undefined) headers[name] = '[redacted]'
  return headers
}

/** Roughly the entry's size as JSON. Cheap for most: they have neither a body nor a change. */
function sizeOf({ path, query, request, response, rules, warnings, explanation }: Entry, change?: Change): number {
  let bytes = OTHER_BYTES + path.length + Number(response?.headers['content-length'] ?? 0)
  bytes += explanation?.text.length ?? 0
  for (const text of warnings) bytes += text.length
  for (const { name, effect } of rules) bytes += name.length + effect.length + RULE_BYTES
  for (const texts of [query, request.headers]) for (const name in texts) bytes += name.length + texts[name]!.length
  if (request.body) bytes += Buffer.byteLength(JSON.stringify(request.body))
  return change ? bytes + lengthOf(change) : bytes
}

/** What is shown once is never captured. */
function redact(call: Call, body: Record<string, unknown> | undefined) {
  const resource = call.operation?.resource as RecordKind | undefined
  const names = resource && isCollection(resource) && 'shownOnce' in resource ? (resource.shownOnce ?? []) : []
  const secret = names.filter(name => typeof body?.[name] === 'string')
  return secret.length === 0
    ? (body ?? null)
    : { ...body, ...Object.fromEntries(secret.map(name => [name, '[redacted]'])) }
}

const stringValues = (headers: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
