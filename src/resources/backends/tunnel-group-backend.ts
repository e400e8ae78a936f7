import { collection, derived, labels, listOf, type Row, textShape } from '../../schema/index.ts'
import { backendTexts } from './backends.ts'

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
    labels: labels({ default: {} }),
    tunnels: derived((values, _row, look) => tunnelsWith(values.labels as Labels, look.all('tunnels')), {
      shape: listOf(textShape()),
      refersTo: { tables: ['tunnels'], missing: 'bad_reference', unchecked: true },
      looksAround: true,
    }),
  },
  errors: { missing: 'backend_not_found' },
})

type Labels = Record<string, string>

/** The ids of the tunnels that have all these labels; none for no labels. */
function tunnelsWith(wanted: Labels, tunnels: Iterable<Row>): string[] {
  const pairs = Object.entries(wanted)
  const fits = ({ labels = {} }: Row) => pairs.every(([name, text]) => (labels as Labels)[name] === text)
  return pairs.length === 0
    ? []
    : Array.from(tunnels)
        .filter(fits)
        .map(({ id }) => id)
}
