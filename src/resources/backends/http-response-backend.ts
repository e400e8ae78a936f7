import { collection, headerMap, integer, textShape, value } from '../../schema/index.ts'
import { backendTexts } from './backends.ts'

/** Answers every request itself, always in the same way. docs/api.md 10.25. */
export const httpResponseBackends = collection({
  name: 'http_response_backend',
  table: 'http_response_backends',
  label: 'HTTP response backend',
  path: '/backends/http_response',
  prefix: 'bkdhr',
  section: '10.25',
  listAs: 'backends',
  neighbour: true,
  fields: {
    ...backendTexts(),
    body: value(textShape({ 'x-lines': true }), { default: '' }),
    headers: headerMap({ lowered: true }),
    status_code: value(integer({ minimum: 100, maximum: 599 }), { default: 200 }),
  },
  errors: { missing: 'backend_not_found' },
})
