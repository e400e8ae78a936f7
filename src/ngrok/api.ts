import { capital } from '../basics/text.ts'
import type { RateLimit } from '../engine/api.ts'
import { defineApi } from '../engine/define-api.ts'
import type { ServedApi } from '../engine/plugin.ts'
import { tokenReader } from '../engine/token.ts'
import { authenticate, gate } from './admit.ts'
import { sectionOf } from './codes.ts'
import { errorReply, errorSchema } from './error-reply.ts'
import { deliveriesOf, EVENT_PREFIX } from './events/deliveries.ts'
import { listFilter } from './filters/list-filter.ts'
import { cursorPages } from './pages.ts'
import { plugin } from './plugin.ts'
import { ngrokAssumptions, questions } from './questions.ts'
import { catalog, eventTypes } from './resources/index.ts'
import { API_VERSION, operationHeader, vendorHosts, versionHeader } from './vendor.ts'

const readToken = tokenReader()

const DOCUMENTED_LIMIT: RateLimit = { requests: 120, per: '60s', perMs: 60_000, assumption: questions.rate_limit }

const ACRONYMS = new Set(['api', 'ip', 'tcp', 'https', 'tls'])

/** `create_api_key` → Create API Key */
const summaryOf = (id: string) =>
  id
    .split('_')
    .map(word => (ACRONYMS.has(word) ? word.toUpperCase() : capital(word)))
    .join(' ')

/** The API that edgesim simulates by default. */
export const ngrok: ServedApi = defineApi({
  name: 'ngrok',
  catalog,
  ...ngrokAssumptions,
  document: 'docs/api.md',
  firstOperation: 'list_api_keys',
  requestHeaders: vendor => ({ [versionHeader(vendor)]: API_VERSION }),
  operationHeader,
  host: vendor => vendorHosts(vendor).api,
  identify: ({ headers }) => readToken(headers.authorization as string | undefined),
  authenticate,
  gate,
  rateLimit: visit => (visit.assumed(questions.rate_limit) === 'documented' ? DOCUMENTED_LIMIT : undefined),
  serves: (visit, { undocumented }) => !undocumented || visit.assume(questions.neighbours) !== 'absent',
  errorReply,
  sectionOf,
  events: { types: eventTypes, prefix: EVENT_PREFIX, deliveriesOf },
  pages: cursorPages,
  listFilter,
  openapi: {
    title: 'Management API, simulated by edgesim',
    description:
      'API keys, IP restrictions and edge modules, and the resources that they refer to (marked with x-neighbour).',
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic', description: 'The token as the password, with any user name' },
    },
    parameters: vendor => ({
      version: {
        name: versionHeader(vendor),
        in: 'header',
        required: true,
        schema: { type: 'string', const: API_VERSION },
      },
    }),
    error: errorSchema,
    extend: ({ id, undocumented }) => ({ summary: summaryOf(id), ...(undocumented && { 'x-neighbour': true }) }),
  },
  bodyFields: ['next_page_uri', 'error_code', 'status_code', 'msg', 'details', 'unreadable'],
  plugin,
  traffic: { condition: 'edge', tables: ['tcp_edges', 'tls_edges', 'https_edges'] },
})
