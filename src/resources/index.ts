import type { Collection, Module, Operation, RecordKind } from '../schema/index.ts'
import { collectionOperations, isCollection, moduleOperations } from '../schema/index.ts'
import { apiKeys } from './api-key.ts'
import { httpsEdges } from './https-edge.ts'
import { httpsEdgeRouteRequestHeaders } from './https-edge-route-request-headers.ts'
import { ipPolicies } from './ip-policy.ts'
import { ipRestrictions } from './ip-restriction.ts'
import { tcpEdges } from './tcp-edge.ts'
import { tcpEdgeIpRestriction } from './tcp-edge-ip-restriction.ts'
import { bots, users } from './user.ts'

/** What there is. Everything else follows from these two lists. */
export const kinds = [users, bots, apiKeys, ipPolicies, ipRestrictions, tcpEdges, httpsEdges] as unknown as RecordKind[]
export const modules = [tcpEdgeIpRestriction, httpsEdgeRouteRequestHeaders] as unknown as Module[]

export const collections: Collection[] = kinds.filter(isCollection)
export const operations: Operation[] = [
  ...collections.flatMap(collectionOperations),
  ...modules.flatMap(moduleOperations),
]

const byTable = new Map(kinds.map(kind => [kind.table, kind]))
export const tableNames = [...byTable.keys()]
export const kindOf = (table: string): RecordKind => byTable.get(table)!

export { apiKeys, ipPolicies, ipRestrictions }
