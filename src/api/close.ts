import type { Call, Entry } from '../sandbox/index.ts'
import type { Answer } from '../scenarios/index.ts'
import { isCollection, type RecordKind } from '../schema/index.ts'
import { explain } from './explain.ts'

/** What an entry has beside the parts that are counted. */
const OTHER_BYTES = 1024

/** What went out, as far as the journal cares. */
interface Sent {
  status: number
  headers: Record<string, string | number>
  body: Record<string, unknown> | undefined
}

/** Completes the journal's entry: what was answered, what was changed, and why. Without an answer, `sent` is null. */
export function closeEntry(call: Call, sent: Sent | null, duration: number, error?: unknown) {
  const { entry, sandbox, change } = call
  entry.status = sent?.status ?? null
  entry.duration_ms = Math.round(duration * 1000) / 1000
  // A body that could not be read is not an empty one.
  entry.request.body = Object.keys(call.body).length > 0 ? redact(call, call.body) : null
  entry.response = sent && { headers: stringValues(sent.headers), body: redact(call, sent.body) }
  entry.assumptions = call.assumptions
  entry.change = change ? { seq: change.seq, ops: change.ops } : null
  entry.explanation = explain(call, error, sent !== null)
  sandbox.journal.close(entry, sizeOf(entry), change && change.seq - 1)
  sandbox.emit({ type: 'request', sandbox: sandbox.name, data: entry })
}

/** A fault had its way: what the client saw may be no answer, or none that can be read. */
export function closeFaulted(call: Call, answer: Answer | null, duration: number) {
  closeEntry(call, answer && { ...answer, body: readable(answer.body) }, duration)
}

/** About as many bytes as the entry has when it is asked for. Most have neither a body nor a change: those cost no time. */
function sizeOf({ path, query, request, response, change }: Entry): number {
  let bytes = OTHER_BYTES + path.length + Number(response?.headers['content-length'] ?? 0)
  for (const texts of [query, request.headers]) for (const name in texts) bytes += name.length + texts[name]!.length
  if (request.body) bytes += Buffer.byteLength(JSON.stringify(request.body))
  if (change) bytes += Buffer.byteLength(JSON.stringify(change.ops))
  return bytes
}

function readable(body: Buffer): Record<string, unknown> | undefined {
  try {
    return body.length > 0 ? JSON.parse(body.toString()) : undefined
  } catch {
    return { unreadable: body.toString('latin1', 0, 200) }
  }
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
