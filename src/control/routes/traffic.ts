import { isIP } from 'node:net'
import * as z from 'zod'
import type { ControlContext } from '../context.ts'
import { changes, get, optional, post, quoted, type Route, reads, reject } from '../route.ts'

const question = z.strictObject({
  edge: optional(z.string(), 'the id of an edge'),
  type: optional(
    z.enum(['dashboard', 'api', 'agent', 'endpoints']),
    'instead of an edge: what IP restrictions of this type say',
  ),
  source_ip: optional(z.string(), 'where it comes from; 127.0.0.1 unless given'),
  path: optional(z.string(), 'of a request to an HTTPS edge'),
  headers: optional(z.record(z.string(), z.string()), 'of that request'),
})

/** The members of a decision that agents are shown. */
const DECISION_MEMBERS = [
  ...['id', 'at', 'edge', 'verdict', 'source_ip', 'method', 'path', 'route', 'status'],
  ...['decided_by', 'upstream', 'failure', 'rules', 'explanation'],
]

export const trafficRoutes = (context: ControlContext): Route[] => [
  get('/traffic', 'Where edges listen, what went through, and the latest decisions', {
    // Not "reads": for a sandbox other than `default`, asking opens the ports.
    tool: changes(
      'get_traffic',
      'Use it to find the ports of edges, which it opens, and why a connection was let through or refused.',
      'Ports that listen: {listeners}; {decisions decision}, newest first.',
      { brief: { decisions: DECISION_MEMBERS } },
    ),
    run: async ({ sandbox }) => await (await context.traffic()).report(sandbox),
  }),
  post('/traffic/check', 'What would be decided about a connection or request, without one', {
    body: question,
    tool: reads(
      'check_traffic',
      'Use it to ask whether an address would pass an edge or the IP restrictions of a type.',
      '{verdict}. {explanation.text}',
    ),
    async run({ sandbox, body }) {
      const { edge, type, source_ip, path } = body
      if ((edge === undefined) === (type === undefined))
        reject('Give "edge", or "type" for what IP restrictions of a type say; not both')
      if (source_ip !== undefined && !isIP(source_ip))
        reject(`"source_ip" must be an IP address, not ${quoted(source_ip)}`)
      if (path !== undefined && !path.startsWith('/')) reject(`"path" must begin with /, not ${quoted(path)}`)
      return (await context.traffic()).check(sandbox, body)
    },
  }),
]
