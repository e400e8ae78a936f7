import { flag, module, type RuleContext } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { questions } from '../../../questions.ts'
import { HEADER_LIMITS, headerMap, headerNames, tooManyHeaders } from '../headers.ts'

export const requestHeadersModule = module({
  key: 'request_headers',
  label: 'request headers module',
  of: { https_edge_routes: '4.4' },
  fields: {
    enabled: flag({ default: true }),
    add: headerMap({ describe: 'Header name to value, added to requests' }),
    remove: headerNames('Headers removed from requests'),
  },
  check(values, at, { assume, fail }) {
    checkHeaderCounts(values, at, { assume, fail })
    const { add, remove } = values
    const names = { add: Object.keys(add), remove }
    for (const key of ['add', 'remove'] as const) {
      const userAgent = names[key].find(name => name.toLowerCase() === 'user-agent')
      if (userAgent === undefined || assume(questions.header_limits) === 'wide') continue
      const expected =
        'any header except User-Agent, which the module cannot change (allowed with --assume header_limits=wide)'
      fail(errors.header_name, { field: `${at}${key}`, expected, received: `the name ${JSON.stringify(userAgent)}` })
    }
    const hasHost = (list: string[]) => list.some(name => name.toLowerCase() === 'host')
    if (hasHost(remove) && !hasHost(names.add)) fail(errors.host_removed, { field: `${at}remove` })
  },
})

export const responseHeadersModule = module({
  key: 'response_headers',
  label: 'response headers module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    add: headerMap({ lowered: true, describe: 'Header name to value, added to responses (names in lower case)' }),
    remove: headerNames('Headers removed from responses'),
  },
  check: checkHeaderCounts,
})

/** Limits the headers in requests. Fixtures may contain more. */
function checkHeaderCounts(
  values: { add: object; remove: object },
  at: string,
  { assume, fail }: Pick<RuleContext, 'assume' | 'fail'>,
) {
  for (const key of ['add', 'remove'] as const) {
    const { length } = Object.keys(values[key])
    if (length > HEADER_LIMITS.documentedCount && assume(questions.header_limits) !== 'wide')
      fail(errors.too_many_headers, { field: `${at}${key}`, ...tooManyHeaders(length) })
  }
}
