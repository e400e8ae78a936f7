import { fail } from '../../../engine/error.ts'
import { choice, collection, type Given, generated } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { vendorHosts } from '../../vendor.ts'
import { EDGES } from '../edges/edge-hostports.ts'
import { described } from '../texts.ts'
import { outside } from './outside.ts'

export const REGIONS = ['us', 'eu', 'ap', 'au', 'sa', 'jp', 'in'] as const

/** Servers and ports per region, which limit its number of addresses. */
const SERVERS = 9
const FIRST_PORT = 20_000
const PORTS = 10_000
/** A region counts as full after so many taken addresses in a row. */
const MAX_DRAWS = 100

/** A number below the limit, from random letters and digits. */
const numberFrom = (drawn: string, limit: number) =>
  [...drawn].reduce((sum, letter) => (sum * 62 + letter.charCodeAt(0)) % limit, 0)

function drawAddress(region: string, vendor: string, draw: (size: number) => string): string {
  const host = region === 'us' ? vendorHosts(vendor).tcp : `${region}.${vendorHosts(vendor).tcp}`
  const number = numberFrom(draw(12), SERVERS * PORTS)
  return `${1 + (number % SERVERS)}.tcp.${host}:${FIRST_PORT + Math.floor(number / SERVERS)}`
}

export const reservedAddrs = collection({
  name: 'reserved_addr',
  table: 'reserved_addrs',
  label: 'reserved address',
  path: '/reserved_addrs',
  prefix: 'ra',
  section: '10.13',
  listAs: 'reserved_addrs',
  event: 'tcp_address',
  filterable: ['id', 'created_at', 'description', 'metadata', 'addr', 'region'],
  fields: {
    ...described({ description: errors.addr_description_too_long, metadata: errors.addr_metadata_too_long }),
    region: choice(REGIONS, { error: errors.bad_addr_region, default: 'us', createOnly: true }),
    addr: generated(
      ({ given: { region = 'us' }, vendor, draw, isTaken }: Given<{ region?: string }>) => {
        for (let i = 0; i < MAX_DRAWS; i++) {
          const addr = drawAddress(region, vendor, draw)
          if (!isTaken(addr)) return addr
        }
        return fail(errors.no_addr_left, { field: 'region', region })
      },
      { content: 'host', describe: 'Random host and port, such as 1.tcp.service.example:20123' },
    ),
    endpoint_configuration_id: outside('/endpoint_configurations', 'endpoint_configuration'),
  },
  unique: { field: 'addr', among: ['reserved_addrs'] },
  errors: { noValues: errors.addr_update_empty },
  checkDelete({ id, addr }, { tables, assume, fail }) {
    if (assume(questions.delete_referenced) === 'detach') return
    const edges = EDGES.flatMap(table => tables.where(table, 'hostports', addr))
    const endpoints = tables.where('endpoints', 'url', `tcp://${addr}`).filter(({ type }) => type === 'cloud')
    const users = [...edges, ...endpoints].map(each => each.id)
    if (users.length > 0)
      fail(errors.addr_used, {
        id,
        name: addr,
        users: users.slice(0, 5),
        more: Math.max(0, users.length - 5),
      })
  },
})
