import { type Field, textShape } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'

/** The id of a record that edgesim does not simulate: any string. */
export const outside = (path: string, shownAs: string): Field<string> => ({
  shape: textShape(),
  refersTo: { tables: [], missing: errors.bad_reference, unchecked: true, path },
  shownAs,
  describe: 'Any id (edgesim has no endpoint configurations)',
})
