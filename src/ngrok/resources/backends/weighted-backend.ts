import { collection, type Field, integer, mapOf, type RefersTo, type Shape } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { backendErrors, backendTexts, insideBackend, MAX_INSIDE, SERVING_BACKENDS } from './backends.ts'

/** Record id to number. */
const numbersById = (
  tables: string[],
  number: Shape<number>,
  { describe, ...options }: Omit<RefersTo, 'tables'> & Pick<Field, 'describe'>,
): Field<Record<string, number>> => {
  const shape = mapOf(number)
  return {
    shape: { ...shape, json: { ...shape.json, 'x-refers-to': tables } },
    default: {},
    refersTo: { tables, ...options },
    describe,
  }
}

export const weightedBackends = collection({
  name: 'weighted_backend',
  table: 'weighted_backends',
  label: 'weighted backend',
  path: '/backends/weighted',
  prefix: 'bkdwd',
  section: '10.25',
  listAs: 'backends',
  fields: {
    ...backendTexts(),
    backends: numbersById(SERVING_BACKENDS, integer({ minimum: 0, maximum: 10_000 }, errors.bad_weight), {
      ...insideBackend,
      excluded: { error: errors.not_for_weighted, form: /^bkd(wd|fo)_/ },
      describe: 'Backend id to weight from 0 to 10000, up to 100',
    }),
  },
  errors: backendErrors,
  // Recorded: an update without backends clears them.
  onUpdate: (given, { assume }) =>
    given.backends === undefined && assume(questions.backends_on_update) === 'clear'
      ? { ...given, backends: {} }
      : given,
  check({ backends }, _before, { fail }) {
    const { length } = Object.keys(backends as object)
    if (length <= MAX_INSIDE) return
    const expected = `up to ${MAX_INSIDE} backends`
    fail(errors.too_many_weighted_backends, { field: 'backends', expected, received: `${length}` })
  },
})
