import type { ControlContext } from '../context.ts'
import { callApi, callSchema } from '../journal/api-call.ts'
import { type ControlRoute, destroys, ok, route } from '../route.ts'

/** A call of the API, as any client would make it. */
export const callRoutes = (context: ControlContext): ControlRoute[] => [
  route({
    method: 'post',
    path: '/call',
    summary: 'Call the API over HTTP, and say why it was answered so',
    body: callSchema,
    answers: [200],
    tools: [
      destroys(
        'call_api',
        'Use it to try a request, as any token, before or instead of code; each call is in the journal.',
        '{summary}',
      ),
    ],
    run: async call => ok(await callApi(context, call)),
  }),
]
