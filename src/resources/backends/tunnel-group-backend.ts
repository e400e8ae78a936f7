import { isObject } from '../../basics/json.ts'
import { shorten } from '../../basics/problem.ts'
import {
  checkBytes,
  collection,
  derived,
  listOf,
  type Mismatch,
  mapOf,
  type Row,
  type Shape,
  textShape,
  toProblems,
  type ValueError,
  value,
} from '../../schema/index.ts'
import { backendErrors, backendTexts, MAX_INSIDE } from './backends.ts'

export type Labels = Record<string, string>

const MAX_LABEL_BYTES = 255

/** What is wrong with the name or the value of a label. */
function checkLabel(text: string, length: ValueError): Mismatch | undefined {
  if (text === '' || checkBytes(text, MAX_LABEL_BYTES, length))
    return { error: length, expected: `labels with names and values of 1 to ${MAX_LABEL_BYTES} bytes of UTF-8` }
  return text.includes('=') ? { error: 'label_with_equals', expected: 'labels without =' } : undefined
}

const labelValues = mapOf(textShape({}, text => checkLabel(text, 'label_value_length')))

const labelsShape: Shape<Labels> = {
  json: { ...labelValues.json, maxProperties: MAX_INSIDE },
  find(map) {
    const names = isObject(map) ? Object.keys(map) : []
    if (names.length > MAX_INSIDE) {
      const expected = `at most ${MAX_INSIDE} labels`
      return toProblems(map, { error: 'too_many_labels', expected, received: `${names.length}` })
    }
    for (const name of names) {
      const wrong = checkLabel(name, 'label_name_length')
      if (wrong) return toProblems(map, { ...wrong, received: `the name ${JSON.stringify(shorten(name, 60))}` })
    }
    return labelValues.find(map)
  },
}

/** The tunnels that have all of some labels. docs/api.md 10.25. */
export const tunnelGroupBackends = collection({
  name: 'tunnel_group_backend',
  table: 'tunnel_group_backends',
  label: 'tunnel group backend',
  path: '/backends/tunnel_group',
  prefix: 'bkdtg',
  section: '10.25',
  listAs: 'backends',
  neighbour: true,
  fields: {
    ...backendTexts(),
    labels: value(labelsShape, { default: {} }),
    tunnels: derived(
      (values, _row, look) => tunnelsWith(values.labels as Labels, look.all('tunnels')).map(({ id }) => id),
      {
        shape: listOf(textShape()),
        refersTo: { tables: ['tunnels'], missing: 'bad_reference', unchecked: true },
        looksAround: true,
      },
    ),
  },
  errors: backendErrors,
})

/** The tunnels that have all these labels; none for no labels. */
export const tunnelsWith = (wanted: Labels, tunnels: Iterable<Row>): Row[] =>
  Array.from(tunnels).filter(({ labels }) => hasLabels(wanted, labels as Labels | undefined))

export function hasLabels(wanted: Labels, labels: Labels = {}): boolean {
  const names = Object.keys(wanted)
  return names.length > 0 && names.every(name => labels[name] === wanted[name])
}
