import { collection, flag, group, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { upstreamAddress } from '../edges/address.ts'
import { backendErrors, backendTexts } from './backends.ts'

export const staticBackends = collection({
  name: 'static_backend',
  table: 'backends',
  plural: 'static_backends',
  label: 'static backend',
  path: '/backends/static',
  prefix: 'bkdsc',
  section: '10.3',
  listAs: 'backends',
  fields: {
    ...backendTexts(),
    address: value(upstreamAddress(), {
      required: errors.no_backend_address,
      content: 'host',
      describe: 'Upstream host and port, such as db.internal:5432',
    }),
    tls: group(
      { enabled: flag({ default: false, describe: 'Whether to connect with TLS' }) },
      { default: { enabled: false } },
    ),
  },
  errors: backendErrors,
})
