import { collection, references } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { backendErrors, backendTexts, insideBackend, MAX_INSIDE, SERVING_BACKENDS } from './backends.ts'

export const failoverBackends = collection({
  name: 'failover_backend',
  table: 'failover_backends',
  label: 'failover backend',
  path: '/backends/failover',
  prefix: 'bkdfo',
  section: '10.25',
  listAs: 'backends',
  fields: {
    ...backendTexts(),
    backends: references([...SERVING_BACKENDS, 'weighted_backends'], {
      ...insideBackend,
      excluded: { error: errors.not_for_failover, form: /^bkdfo_/ },
      describe: 'In order of preference, up to 100',
    }),
  },
  errors: backendErrors,
  // Recorded: an update without backends clears them.
  onUpdate: (given, { assume }) =>
    given.backends === undefined && assume(questions.backends_on_update) === 'clear'
      ? { ...given, backends: [] }
      : given,
  check({ backends }, _before, { fail }) {
    const { length } = backends
    if (length <= MAX_INSIDE) return
    const expected = `up to ${MAX_INSIDE} backends`
    fail(errors.too_many_failover_backends, { field: 'backends', expected, received: `${length}` })
  },
})
