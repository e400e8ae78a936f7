import type { ErrorKind } from '../engine/error.ts'
import type { errors as serverErrors } from '../server/errors.ts'
import { errors, type VendorError } from './errors.ts'

/** The vendor's number of an error, and its section in docs/api.md. */
type Code = Pick<VendorError, 'code' | 'section'>

/** The errors of the engine and the server. */
const codes: Record<string, Code> = {
  unsupported_content_type: { code: 210, section: '4' },
  body_not_expected: { code: 211, section: '4' },
  unparsable_body: { code: 213, section: '4' },
  unknown_field: { code: 214, section: '4' },
  invalid_value: { code: 215, section: '4' },
  no_content_type: { code: 216, section: '4' },
  bad_identifier: { code: 222, section: '2' },
  bad_reference: { code: 223, section: '10' },
  rate_limited: { code: 226, section: '8' },
  wrong_prefix: { code: 227, section: '2' },
  unknown_query: { code: 231, section: '4' },
  repeated_query: { code: 232, section: '4' },
  not_your_key: { code: null, section: '5' },
  bad_request: { code: null, section: '7' },
  foreign_origin: { code: null, section: '7' },
  foreign_page: { code: null, section: '7' },
  not_found: { code: null, section: '4' },
  module_not_set: { code: null, section: '4' },
  still_used: { code: null, section: '10' },
  method_not_allowed: { code: null, section: '4' },
  conflict: { code: null, section: '7' },
  body_too_large: { code: null, section: '4' },
  unsupported_encoding: { code: null, section: '4' },
  host_not_allowed: { code: null, section: '7' },
  control_token_needed: { code: null, section: '7' },
  control_token_wrong: { code: null, section: '7' },
  https_only: { code: null, section: '7' },
  request_timeout: { code: null, section: '7' },
  no_tunnel: { code: null, section: '7' },
  other_name: { code: null, section: '7' },
  no_control_here: { code: null, section: '7' },
  expectation_failed: { code: null, section: '7' },
  headers_too_large: { code: null, section: '7' },
  internal: { code: null, section: '7' },
  too_many_sandboxes: { code: null, section: '5' },
  too_many_ahead: { code: null, section: '7' },
  reset_meanwhile: { code: null, section: '7' },
  cannot_read: { code: null, section: '7' },
  cannot_write: { code: null, section: '7' },
} satisfies Record<keyof typeof serverErrors, Code>

const NO_CODE: Code = { code: null, section: '7' }

export const codeOf = (kind: ErrorKind | VendorError): Code =>
  'section' in kind ? kind : (codes[kind.name] ?? NO_CODE)

const allErrors: Readonly<Record<string, ErrorKind | undefined>> = errors

/** The section of an error, or of another reason for a response. */
export function sectionOf(decidedBy: string): string {
  const kind = allErrors[decidedBy]
  return kind ? codeOf(kind).section : '4'
}
