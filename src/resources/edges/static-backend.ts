import { collection, flag, group, text, upstreamAddress, value } from '../../schema/index.ts'

/** An address that edges and routes forward traffic to. docs/api.md 10.3. */
export const staticBackends = collection({
  name: 'static_backend',
  table: 'backends',
  plural: 'static_backends',
  label: 'static backend',
  path: '/backends/static',
  prefix: 'bkdst',
  section: '10.3',
  listAs: 'backends',
  neighbour: true,
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    address: value(upstreamAddress(), { required: 'invalid_value' }),
    tls: group({ enabled: flag({ default: false }) }, { default: { enabled: false } }),
  },
})
