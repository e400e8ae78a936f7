import { collection, flag, group, upstreamAddress, value } from '../../schema/index.ts'
import { backendErrors, backendTexts } from './backends.ts'

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
    ...backendTexts(),
    address: value(upstreamAddress(), { required: 'no_backend_address', content: 'host' }),
    tls: group({ enabled: flag({ default: false }) }, { default: { enabled: false } }),
  },
  errors: backendErrors,
})
