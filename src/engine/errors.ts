import { didYouMean } from '../basics/nearest.ts'
import {
  ApiError,
  allowed,
  defineErrors,
  error,
  mustBe,
  mustExist,
  notAnIdOf,
  notFound,
  type Params,
  stillUsed,
  whySentence,
} from './error.ts'

// biome-ignore format: the message of a row begins a line, however long the row is
export const errors = defineErrors({
  unsupported_content_type: error(415, (p: { received: string }) =>
    `The content type ${p.received} is not supported. Send application/json in UTF-8.`),
  unknown_field: error(400, (p: { field: string; operation: string; allowed: string[]; nearest?: string; why?: string }) =>
    `${p.operation} does not accept the field "${p.field}"${p.why ? `: ${p.why}` : ''}.${didYouMean(p.nearest)}${allowed(p.allowed)} To ignore unknown fields: --assume unknown_field=ignore.`),
  invalid_value: error(400, mustBe),
  bad_identifier: error(404, (p: { id: string; prefix: string }) =>
    `The record was not found because the identifier is not a valid identifier. It must be ${p.prefix}_ followed by 1 to 64 of A-Z a-z 0-9 _ -, got ${JSON.stringify(p.id)}.`),
  bad_reference: error(400, mustExist),
  rate_limited: error(429, (p: { requests: number; per: string; retry_after: number }) =>
    `The limit of ${p.requests} requests in ${p.per} is exceeded. Retry in ${p.retry_after} s.`),
  wrong_prefix: error(404, notAnIdOf),
  unknown_query: error(400, (p: { field: string; allowed: string[]; nearest?: string }) =>
    `The query parameter "${p.field}" is not supported.${didYouMean(p.nearest)}${allowed(p.allowed)} To ignore unknown parameters: --assume unknown_query=ignore.`),
  repeated_query: error(400, (p: { field: string; count: number }) =>
    `The query parameter "${p.field}" occurs ${p.count} times. Send it once.`),
  not_your_key: error(403, (p: { id: string; caller: string }) =>
    `${p.id} belongs to another owner, and ${p.caller} is not an admin. To allow it: --assume other_owners_keys=allow.`),
  bad_request: error(400, whySentence),
  not_found: error(404, (p: { what: string; id?: string; nearest?: string; exists?: string; withoutCode?: boolean }) =>
    `${notFound(p.what)}${didYouMean(p.nearest) || (p.exists ? ` ${p.exists}` : '')}`),
  module_not_set: error(404, (p: { label: string; id: string }) =>
    `${p.id} has no ${p.label}, because it was never set or was deleted. To return defaults: --assume absent_module=defaults.`),
  still_used: error(400, stillUsed),
  method_not_allowed: error(405, (p: { method: string; path: string; allow: string[]; preflight?: string }) =>
    `The path ${p.path} does not support ${p.method}. Allowed: ${p.allow.join(', ')}.${p.preflight ? ` This is a CORS preflight from ${p.preflight}. To allow it, start with --cors ${p.preflight}.` : ''}`),
  conflict: error(409, whySentence),
  body_too_large: error(413, (p: { limit: string; instead?: string }) =>
    `The body is too large. The limit is ${p.limit}.${p.instead ? ` ${p.instead}` : ''}`),
  internal: error(500, (_: Params) =>
    'The simulator failed on this request. This is a bug in edgesim. See its log for details.'),
  too_many_sandboxes: error(503, (p: { sandbox: string; most: number }) =>
    `Cannot create the sandbox "${p.sandbox}": the limit of ${p.most} is reached. Drop sandboxes, raise --max-sandboxes, or start with --sandbox-ttl 1h to drop unused ones.`),
  reset_meanwhile: error(503, (_: Params) =>
    'The sandbox was reset or dropped during this request. Nothing was changed. Send it again.'),
  cannot_read: error(503, (p: { what: string; why: string }) =>
    `${p.what} is unreadable on disk: ${p.why}. Nothing was changed.`),
  cannot_write: error(503, (p: { why: string }) =>
    `Cannot write the change to disk: ${p.why}. It was not applied. Reads still work. Retry when the disk accepts writes.`),
})

/** Converts a thrown value to an error. An unknown value is a bug in edgesim: `internal`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof URIError)
    return ApiError.of(errors.bad_request, { why: 'The path has invalid percent-encoding' })
  return ApiError.of(errors.internal, {})
}
