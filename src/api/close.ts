import type { Reply } from '../operations/index.ts'
import type { Call } from '../sandbox/index.ts'
import { isCollection, type RecordKind } from '../schema/index.ts'
import { explain } from './explain.ts'

/** Completes the journal's entry: what was answered, what was changed, and why. */
export function closeEntry(
  call: Call,
  reply: Reply,
  sent: { text: string; headers: Record<string, string | number> },
  duration: number,
  error?: unknown,
) {
  const { entry, sandbox, change } = call
  entry.status = reply.status
  entry.duration_ms = Math.round(duration * 1000) / 1000
  entry.request.body = call.body
  entry.response = { headers: stringValues(sent.headers), body: redact(call, reply.body) }
  entry.assumptions = call.assumptions
  entry.change = change ? { seq: change.seq, ops: change.ops } : null
  entry.explanation = explain(call, error)
  const bytes = 1024 + 2 * sent.text.length + Number(entry.request.headers['content-length'] ?? 0) * 2
  sandbox.journal.close(entry.id, bytes, change && change.seq - 1)
  sandbox.emit({ type: 'request', sandbox: sandbox.name, data: entry })
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
