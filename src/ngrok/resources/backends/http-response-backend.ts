import {
  checkBytes,
  collection,
  integer,
  type Shape,
  textShape,
  type ValueError,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { headerMap } from '../edges/headers.ts'
import { backendErrors, backendTexts } from './backends.ts'

const MAX_BODY_BYTES = 32_768

const body = textShape({ maxLength: MAX_BODY_BYTES, 'x-max-bytes': MAX_BODY_BYTES, 'x-lines': true }, text =>
  checkBytes(text, MAX_BODY_BYTES, errors.response_body_too_long),
)

/** Header map errors with a different number here. */
const HEADER_ERRORS: Record<string, ValueError> = {
  header_name_too_long: errors.response_header_name_too_long,
  header_value_too_long: errors.response_header_value_too_long,
}

const headers = headerMap({ lowered: true })
const headersShape: Shape<Record<string, string>> = {
  ...headers.shape,
  find: map =>
    headers.shape
      .find(map)
      ?.map(({ error, ...problem }) => ({ ...problem, error: error && HEADER_ERRORS[error.name] })),
}

export const httpResponseBackends = collection({
  name: 'http_response_backend',
  table: 'http_response_backends',
  label: 'HTTP response backend',
  path: '/backends/http_response',
  prefix: 'bkdhr',
  section: '10.25',
  listAs: 'backends',
  fields: {
    ...backendTexts(),
    body: value(body, { default: '', content: 'text' }),
    headers: { ...headers, shape: headersShape },
    status_code: value(integer({ minimum: 200, maximum: 599 }, errors.bad_response_status), { default: 200 }),
  },
  errors: backendErrors,
})
