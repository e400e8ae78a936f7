import { isObject } from '../../../basics/json.ts'
import { shorten } from '../../../basics/problem.ts'
import {
  checkBytes,
  collection,
  derived,
  type Look,
  listOf,
  type Mismatch,
  mapOf,
  type Records,
  type Row,
  type Shape,
  textShape,
  toProblems,
  type ValueError,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { backendErrors, backendTexts, MAX_INSIDE } from './backends.ts'

type Labels = Record<string, string>

const MAX_LABEL_BYTES = 255

function checkLabel(text: string, length: ValueError): Mismatch | undefined {
  if (text === '' || checkBytes(text, MAX_LABEL_BYTES, length))
    return { error: length, expected: `labels with names and values of 1 to ${MAX_LABEL_BYTES} bytes of UTF-8` }
  return text.includes('=') ? { error: errors.label_with_equals, expected: 'labels without =' } : undefined
}

const labelValues = mapOf(textShape({}, text => checkLabel(text, errors.label_value_length)))

const labelsShape: Shape<Labels> = {
  json: { ...labelValues.json, maxProperties: MAX_INSIDE },
  find(map) {
    const names = isObject(map) ? Object.keys(map) : []
    if (names.length > MAX_INSIDE) {
      const expected = `up to ${MAX_INSIDE} labels`
      return toProblems(map, { error: errors.too_many_labels, expected, received: `${names.length}` })
    }
    for (const name of names) {
      const wrong = checkLabel(name, errors.label_name_length)
      if (wrong) return toProblems(map, { ...wrong, received: `the name ${JSON.stringify(shorten(name, 60))}` })
    }
    return labelValues.find(map)
  },
}

export const tunnelGroupBackends = collection({
  name: 'tunnel_group_backend',
  table: 'tunnel_group_backends',
  label: 'tunnel group backend',
  path: '/backends/tunnel_group',
  prefix: 'bkdtg',
  section: '10.25',
  listAs: 'backends',
  fields: {
    ...backendTexts(),
    labels: value(labelsShape, {
      default: {},
      content: 'name',
      describe: 'Names and values of 1 to 255 bytes, without =',
    }),
    tunnels: derived(
      ({ labels }: { labels: Labels }, _row, look) =>
        tunnelsWith(labels, look.tables.derive(tunnelsByLabel))
          .map(({ id }) => id)
          .toReversed(),
      {
        shape: listOf(textShape()),
        refersTo: { tables: ['tunnels'], missing: errors.bad_reference, unchecked: true },
        dependsOnOthers: true,
        describe: 'Tunnels that currently have all labels',
      },
    ),
  },
  errors: backendErrors,
})

const keyOf = ([name, text]: [string, string]) => `${name}=${text}`
/** Of a tunnel or a group. */
const labelsIn = ({ labels = {} }: Row) => labels as Labels
const labelsOf = (row: Row) => Object.entries(labelsIn(row))

/** Records by key. A record may have several keys. */
function byKeys(rows: Iterable<Row>, keysOf: (row: Row) => string[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows)
    for (const key of keysOf(row)) {
      const known = found.get(key)
      if (known) known.push(row)
      else found.set(key, [row])
    }
  return found
}

export const tunnelsByLabel = (tables: Records) => byKeys(tables.all('tunnels'), row => labelsOf(row).map(keyOf))

/** A tunnel in the group has its first label. */
const groupsByFirstLabel = (tables: Records) =>
  byKeys(tables.all('tunnel_group_backends'), row => labelsOf(row).slice(0, 1).map(keyOf))

/** The tunnels with all these labels. No labels match no tunnels. */
export function tunnelsWith(wanted: Labels, tunnels: ReturnType<typeof tunnelsByLabel>): Row[] {
  const [first] = Object.entries(wanted)
  return first ? (tunnels.get(keyOf(first)) ?? []).filter(tunnel => hasLabels(wanted, tunnel)) : []
}

export const groupsOf = (tunnel: Row, look: Look): Row[] =>
  labelsOf(tunnel)
    .flatMap(label => look.tables.derive(groupsByFirstLabel).get(keyOf(label)) ?? [])
    .filter(group => hasLabels(labelsIn(group), tunnel))

const hasLabels = (wanted: Labels, row: Row) =>
  Object.entries(wanted).every(([name, text]) => labelsIn(row)[name] === text)
