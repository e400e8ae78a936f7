import type { Answer, Call } from '../sandbox/index.ts'
import { isCollection, type RecordKind } from '../schema/index.ts'
import { explain } from './explain.ts'

/** What went out, as far as the journal cares. */
interface Sent {
  status: number
  headers: Record<string, string | number>
  body: Record<string, unknown> | undefined
  bytes: number
}

/** Completes the journal's entry: what was answered, what was changed, and why. Without an answer, `sent` is null. */
export function closeEntry(call: Call, sent: Sent | null, duration: number, error?: unknown) {
  const { entry, sandbox, change } = call
  entry.status = sent?.status ?? null
  entry.duration_ms = Math.round(duration * 1000) / 1000
  entry.request.body = call.body
  entry.response = sent && { headers: stringValues(sent.headers), body: redact(call, sent.body) }
  entry.assumptions = call.assumptions
  entry.change = change ? { seq: change.seq, ops: change.ops } : null
  entry.explanation = explain(call, error)
  const bytes = 1024 + 2 * (sent?.bytes ?? 0) + Number(entry.request.headers['content-length'] ?? 0) * 2
  sandbox.journal.close(entry.id, bytes, change && change.seq - 1)
  sandbox.emit({ type: 'request', sandbox: sandbox.name, data: entry })
}

/** A fault had its way: what the client saw may be no answer, or none that can be read. */
export function closeFaulted(call: Call, answer: Answer | null, duration: number) {
  const sent = answer && { ...answer, body: readable(answer.body), bytes: answer.body.length }
  closeEntry(call, sent, duration)
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
