import { flag, headerMap, headerNames, module } from '../../../schema/index.ts'
import { checkHeaderCounts } from './header-counts.ts'

/** Headers that are added to and removed from answers. docs/api.md 10.9. */
export const responseHeadersModule = module({
  key: 'response_headers',
  label: 'response headers module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    add: headerMap({ lowered: true }),
    remove: headerNames(),
  },
  check: checkHeaderCounts,
})
