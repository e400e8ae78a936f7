import { openapi } from '../openapi.ts'
import { version } from '../version.ts'
import type { Resolved } from './resolve.ts'

export function printOpenapi({ values }: Resolved): number {
  const url = values.baseUrl ?? `http://127.0.0.1:${values.port}`
  console.log(JSON.stringify(openapi({ url, version, vendor: values.vendor! }), null, 2))
  return 0
}
