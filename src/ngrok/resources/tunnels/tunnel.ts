import {
  choice,
  collection,
  derived,
  labels,
  listOf,
  reference,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { groupsOf } from '../backends/tunnel-group-backend.ts'
import { text } from '../texts.ts'

export const tunnels = collection({
  name: 'tunnel',
  table: 'tunnels',
  label: 'tunnel',
  path: '/tunnels',
  prefix: 'tn',
  section: '10.18',
  listAs: 'tunnels',
  only: ['list', 'get'],
  createdAs: 'started_at',
  withoutUri: true,
  indexes: ['endpoint_id'],
  fields: {
    endpoint_id: reference(['endpoints'], {
      missing: errors.bad_reference,
      shownAs: 'endpoint',
      unset: 'omit',
      whenDeleted: 'delete',
    }),
    forwards_to: value(textShape(), { default: '', content: 'url' }),
    labels: labels(),
    backends: derived(
      (_values, row, look) => {
        const groups = groupsOf(row, look)
        return groups.length > 0 ? groups.map(({ id }) => id) : undefined
      },
      {
        shape: listOf(textShape()),
        refersTo: { tables: ['tunnel_group_backends'], missing: errors.bad_reference, unchecked: true },
        unset: 'omit',
        dependsOnOthers: true,
        describe: 'Tunnel group backends with labels that the tunnel has',
      },
    ),
    metadata: text(4096),
    proto: choice(['http', 'https', 'tcp', 'tls'], { error: errors.invalid_value }),
    public_url: value(textShape(), { content: 'url' }),
    region: value(textShape(), { default: 'us', content: 'plain' }),
    tunnel_session_id: reference(['tunnel_sessions'], {
      missing: errors.bad_reference,
      required: errors.invalid_value,
      shownAs: 'tunnel_session',
      whenDeleted: 'delete',
    }),
  },
})
