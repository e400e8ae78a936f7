import { flag, module, reference } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { BACKENDS } from '../../backends/backends.ts'

export const backendModule = module({
  key: 'backend',
  label: 'backend module',
  of: { tcp_edges: '10.7', tls_edges: '10.7', https_edge_routes: '10.7' },
  fields: {
    enabled: flag({ default: true }),
    backend_id: reference(BACKENDS, {
      missing: errors.backend_missing,
      malformed: { error: errors.bad_backend_id, form: /^bkd[a-z]+_/ },
      shownAs: 'backend',
    }),
  },
})
