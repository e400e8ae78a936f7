import { collection, described, flag, group, upstreamAddress, value } from '../../schema/index.ts'

/** An address that edges and routes forward traffic to. docs/api.md 10.3. */
export const staticBackends = collection({
  name: 'static_backend',
  table: 'backends',
  plural: 'static_backends',
  label: 'static backend',
  path: '/backends/static',
  prefix: 'bkdsc',
  section: '10.3',
  listAs: 'backends',
  neighbour: true,
  fields: {
    ...described({ description: 'backend_description_too_long', metadata: 'backend_metadata_too_long' }),
    address: value(upstreamAddress(), { required: 'no_backend_address' }),
    tls: group({ enabled: flag({ default: false }) }, { default: { enabled: false } }),
  },
  errors: { missing: 'backend_not_found' },
})
