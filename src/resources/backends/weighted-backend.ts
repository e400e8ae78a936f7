import { collection, integer, numbersById } from '../../schema/index.ts'
import { BACKENDS, backendTexts } from './backends.ts'

/** One of several backends, drawn by their weights. docs/api.md 10.25. */
export const weightedBackends = collection({
  name: 'weighted_backend',
  table: 'weighted_backends',
  label: 'weighted backend',
  path: '/backends/weighted',
  prefix: 'bkdwd',
  section: '10.25',
  listAs: 'backends',
  neighbour: true,
  fields: {
    ...backendTexts(),
    backends: numbersById(BACKENDS, integer({ minimum: 0, maximum: 10_000 }), { missing: 'backend_missing' }),
  },
  errors: { missing: 'backend_not_found' },
  // Recorded: an update that does not give them empties them.
  onUpdate: (given, { assume }) =>
    given.backends === undefined && assume('backends_on_update') === 'clear' ? { ...given, backends: {} } : given,
})
