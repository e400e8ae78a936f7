import { isIP } from 'node:net'
import { mapOf, objectOf, oneOf, textShape } from '../../basics/shape.ts'
import type { TrafficView } from '../../engine/plugin.ts'
import { get, optional, post, quoted, type Route, reject } from '../route.ts'

const question = objectOf({
  edge: optional(textShape(), 'Edge id'),
  type: optional(
    oneOf(['dashboard', 'api', 'agent', 'endpoints']),
    'Instead of an edge: type of IP restrictions to check',
  ),
  source_ip: optional(textShape(), 'Source address [default: 127.0.0.1]'),
  path: optional(textShape(), 'Path of a request to an HTTPS edge'),
  headers: optional(mapOf(textShape()), 'Headers of the request'),
})

export const trafficRoutes = (load: () => Promise<TrafficView>): Route[] => [
  get('/traffic', 'List edge listeners, traffic counts and recent decisions', {
    run: async ({ sandbox }) => await (await load()).report(sandbox),
  }),
  post('/traffic/check', 'Predict the decision for a connection or request', {
    body: question,
    async run({ sandbox, body }) {
      const { edge, type, source_ip, path } = body
      if ((edge === undefined) === (type === undefined)) reject('Set either "edge" or "type" (of IP restrictions)')
      if (source_ip !== undefined && !isIP(source_ip))
        reject(`"source_ip" must be an IP address, got ${quoted(source_ip)}`)
      if (path !== undefined && !path.startsWith('/')) reject(`"path" must start with /, got ${quoted(path)}`)
      return (await load()).check(sandbox, body)
    },
  }),
]
