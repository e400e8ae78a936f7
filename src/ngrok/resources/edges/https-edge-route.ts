import {
  checkBytes,
  choice,
  collection,
  type Row,
  type RuleContext,
  reference,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { upstreamUrl } from './address.ts'
import { SIGN_IN } from './modules/signed-in.ts'

/** Chosen by edgesim: assumption `match_length`. */
const MAX_MATCH_BYTES = 4096

const PATH = /^\/[^\s?#]*$/

const match = textShape({ pattern: PATH.source, maxLength: MAX_MATCH_BYTES, examples: ['/shop'] }, value => {
  const long = checkBytes(value, MAX_MATCH_BYTES, errors.match_too_long)
  return long || PATH.test(value) ? long : { error: errors.bad_match, expected: 'a path like /api' }
})

export const httpsEdgeRoutes = collection({
  name: 'https_edge_route',
  table: 'https_edge_routes',
  label: 'HTTPS edge route',
  path: '/edges/https/{edge_id}/routes',
  prefix: 'edghtsrt',
  section: '10.6',
  partOf: { table: 'https_edges', by: 'edge_id', list: 'routes', shown: true },
  unique: { field: 'match', among: ['https_edge_routes'], within: 'edge_id', error: errors.route_twice },
  fields: {
    edge_id: reference(['https_edges'], { missing: errors.bad_reference, createOnly: true }),
    // Requests must set match_type and match. Without them, a route in a fixture matches every path.
    match_type: choice(['exact_path', 'path_prefix'], {
      error: errors.bad_match_type,
      required: errors.bad_match_type,
      default: 'path_prefix',
    }),
    match: value(match, {
      required: errors.no_match,
      default: '/',
      content: 'name',
      describe: 'Path or path prefix',
    }),
    ...described({ description: errors.edge_description_too_long, metadata: errors.edge_metadata_too_long }),
  },
  stored: { upstream: value(upstreamUrl(), { content: 'url' }) },
  alwaysNull: ['policy'],
  errors: { missing: errors.route_missing, elsewhere: errors.route_elsewhere },
  check: checkSignIn,
})

const signInsOf = (row: Row) => SIGN_IN.filter(key => (row[key] as { enabled: boolean } | undefined)?.enabled)

/** Only one route of an edge may require sign-in, with one module. */
function checkSignIn(row: Row, before: Row | undefined, { tables, fail }: RuleContext) {
  const [field, ...enabled] = signInsOf(row).toSorted(
    (a, b) => Number(row[a] === before?.[a]) - Number(row[b] === before?.[b]),
  )
  if (field === undefined || row[field] === before?.[field]) return
  if (enabled.length > 0) fail(errors.two_sign_ins, { field, enabled })
  const other = tables
    .where('https_edge_routes', 'edge_id', row.edge_id)
    .find(each => each.id !== row.id && signInsOf(each).length > 0)
  if (other) fail(errors.sign_in_elsewhere, { field, existing: other.id })
}
