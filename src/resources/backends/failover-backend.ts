import { collection, references } from '../../schema/index.ts'
import { BACKENDS, backendTexts } from './backends.ts'

/** The first of several backends that can be reached. docs/api.md 10.25. */
export const failoverBackends = collection({
  name: 'failover_backend',
  table: 'failover_backends',
  label: 'failover backend',
  path: '/backends/failover',
  prefix: 'bkdfo',
  section: '10.25',
  listAs: 'backends',
  neighbour: true,
  fields: {
    ...backendTexts(),
    backends: references(BACKENDS, { missing: 'backend_missing' }),
  },
  errors: { missing: 'backend_not_found' },
  // Recorded: an update that does not give them empties them.
  onUpdate: (given, { assume }) =>
    given.backends === undefined && assume('backends_on_update') === 'clear' ? { ...given, backends: [] } : given,
})
