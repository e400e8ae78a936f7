import { errorReply } from '../contract/errors.ts'
import { tokenReader } from '../contract/token.ts'
import { type Api, defineApi } from '../engine/define-api.ts'
import { authenticate, gate } from './admit.ts'
import { deliveriesOf } from './events/deliveries.ts'
import { cursorPages } from './pages.ts'
import { catalog, eventTypes } from './resources/index.ts'

const readToken = tokenReader()

/** The API that edgesim simulates by default. */
export const ngrok: Api = defineApi({
  name: 'ngrok',
  catalog,
  identify: ({ headers }) => readToken(headers.authorization as string | undefined),
  authenticate,
  gate,
  serves: (visit, { neighbour }) => !neighbour || visit.assume('neighbours') !== 'absent',
  errorReply,
  events: { types: eventTypes, deliveriesOf },
  pages: cursorPages,
  bodyFields: ['next_page_uri', 'error_code', 'status_code', 'msg', 'details', 'unreadable'],
  edges: ['tcp_edges', 'tls_edges', 'https_edges'],
})
