import { version } from '../../files/package.ts'
import { openapi } from '../../resources/openapi.ts'
import type { Resolved } from '../resolve.ts'

export function printOpenapi({ values }: Resolved): number {
  const url = values.baseUrl ?? `http://127.0.0.1:${values.port}`
  console.log(JSON.stringify(openapi({ url, version, vendor: values.vendor! }), null, 2))
  return 0
}
