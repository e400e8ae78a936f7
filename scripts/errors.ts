import type { ErrorKind } from '../src/engine/error.ts'
import { codeOf } from '../src/ngrok/codes.ts'
import { errors } from '../src/ngrok/errors.ts'
import { errors as standInErrors } from '../src/simulator/stand-in/errors.ts'

/** All errors of edgesim, with their codes and sections. */
export const errorRows = Object.entries<ErrorKind>({ ...errors, ...standInErrors }).map(([name, kind]) => ({
  name,
  status: kind.status,
  message: kind.message,
  ...codeOf(kind),
}))
