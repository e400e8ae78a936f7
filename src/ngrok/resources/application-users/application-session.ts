import { isObject } from '../../../basics/json.ts'
import {
  collection,
  derived,
  group,
  identifier,
  integer,
  number,
  objectOf,
  reference,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { optionalText, time } from './members.ts'

const DAY = 24 * 60 * 60 * 1000
const EARTH_KM = 40_075

const REF = objectOf({ id: { shape: textShape(), required: true }, uri: { shape: textShape(), required: true } })

const where = { unset: 'null', content: 'personal' } as const

/** Deleting the target also deletes the session. */
const of = (table: string, shownAs: string) =>
  reference([table], { missing: errors.bad_reference, shownAs, whenDeleted: 'delete' })

export const applicationSessions = collection({
  name: 'application_session',
  table: 'application_sessions',
  label: 'application session',
  path: '/app/sessions',
  prefix: 'appsess',
  section: '10.22',
  listAs: 'application_sessions',
  only: ['list', 'get', 'delete'],
  fields: {
    application_user_id: { ...of('application_users', 'application_user'), required: errors.invalid_value },
    public_url: optionalText('url'),
    browser_session: group(
      {
        user_agent: group(
          {
            raw: optionalText('personal'),
            browser_name: optionalText('plain'),
            browser_version: optionalText('plain'),
            device_type: optionalText('plain'),
            os_name: optionalText('plain'),
            os_version: optionalText('plain'),
          },
          { default: {} },
        ),
        ip_address: optionalText('address'),
        location: group({
          country_code: value(textShape(), where),
          latitude: value(number({ minimum: -90, maximum: 90 }), where),
          longitude: value(number({ minimum: -180, maximum: 180 }), where),
          lat_long_radius_km: value(integer({ minimum: 0, maximum: EARTH_KM }), where),
        }),
      },
      { default: {} },
    ),
    endpoint_id: of('endpoints', 'endpoint'),
    edge_id: of('https_edges', 'edge'),
    // The route may be deleted. The session keeps its id.
    route_id: value(identifier('edghtsrt'), {
      describe: 'Route of the edge, which may be deleted',
      notShown: true,
      content: 'id',
      fromResponse: ({ route }) => (isObject(route) ? route.id : undefined),
    }),
    route: derived(
      ({ edge_id, route_id: id }, _, { baseUrl }) =>
        edge_id && id ? { id, uri: `${baseUrl}/edges/https/${edge_id}/routes/${id}` } : undefined,
      { shape: REF, unset: 'null' },
    ),
    last_active: time(),
    expires_at: time(DAY, 'A day after creation by default (an expired session is not deleted)'),
  },
})
