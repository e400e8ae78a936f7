import { defineErrors, error, type Params } from '../engine/error.ts'
import { errors as engineErrors } from '../engine/errors.ts'

// biome-ignore format: the message of a row begins a line, however long the row is
const own = defineErrors({
  body_not_expected: error(400, (p: { method: string; bytes: number }) =>
    `${p.method} does not accept a body, got ${p.bytes} bytes. Send the request without one.`),
  unparsable_body: error(400, (p: { why: string }) =>
    `Cannot parse the body: ${p.why}. Send one JSON object.`),
  no_content_type: error(415, (p: { bytes: number }) =>
    `The body of ${p.bytes} bytes has no Content-Type. Send Content-Type: application/json.`),
  foreign_origin: error(403, (p: { origin: string }) =>
    `The origin ${p.origin} is not allowed. The control API accepts requests only from the dashboard. Behind a proxy, forward the Host header, or start with --base-url ${p.origin}. To allow other origins for the API, start with --cors ORIGIN.`),
  foreign_page: error(403, (p: { site?: string; origin?: string }) =>
    `The request came from a page of another site${p.origin ? `, ${p.origin}` : ''}${p.site ? ` (Sec-Fetch-Site: ${p.site})` : ''}. The control API accepts requests only from the dashboard. To allow other pages for the API, start with --cors ORIGIN.`),
  unsupported_encoding: error(415, (p: { received: string }) =>
    `The content encoding ${p.received} is not supported. Send the body uncompressed, or as gzip, deflate or br.`),
  host_not_allowed: error(403, (p: { host: string }) =>
    `The Host ${JSON.stringify(p.host)} is not allowed. Use an IP address or localhost, or start with --allowed-host NAME.`),
  control_token_needed: error(401, (_: Params) =>
    'The control API requires a token. Send Authorization: Bearer <the value of --control-token>.'),
  control_token_wrong: error(401, (_: Params) =>
    'The control token is wrong. Send Authorization: Bearer <the value of --control-token>. Tokens of API keys work only for the API.'),
  https_only: error(400, (p: { url: string }) => `This port speaks HTTPS. Use ${p.url} instead.`),
  request_timeout: error(408, (p: { headers: number; request: number }) =>
    `The request took too long to arrive. Send the headers within ${p.headers} s and the whole request within ${p.request} s.`),
  no_tunnel: error(405, (_: Params) => 'CONNECT is not supported, because this is not a proxy.'),
  other_name: error(403, (p: { given: string; host: string }) =>
    `This connection is for ${p.host}, but the request is for ${JSON.stringify(p.given)}. Send Host: ${p.host}.`),
  no_control_here: error(404, (p: { host: string }) =>
    `The control API is not served at ${p.host}. Use the simulator's address: EDGESIM_URL followed by /_sim/.`),
  expectation_failed: error(417, (p: { received: string }) =>
    `Expect: ${p.received} is not supported. Only 100-continue is.`),
  headers_too_large: error(431, (_: Params) => 'The request headers are too large. The limit is 16 KB.'),
  too_many_ahead: error(503, (p: { most: number }) =>
    `More than ${p.most} requests were pipelined on this connection, which now closes. This request and later ones were not executed. Wait for responses, or use more connections.`),
})

/** The errors of the server, and those of the engine. */
export const errors = { ...engineErrors, ...own }
