import type { DeliveryPattern } from '../contract/expectation.ts'
import type { Lenient } from '../contract/lenient.ts'
import type { Fixture, PartTables, Tables } from '../ngrok/shapes.ts'
import type { Pattern } from './wire-types.ts'

export type AllTables = Tables & PartTables

/** A sandbox's state, in the format of a fixture. */
export type State = Tables & Pick<Fixture, '_edgesim'>

export interface RequestFilter extends Pick<Pattern, 'operation' | 'method' | 'path' | 'status' | 'caller'> {
  /** An operation id or a time. */
  since?: string
  limit?: number
}

export interface DeliveryFilter extends Omit<DeliveryPattern, 'where'> {
  limit?: number
}

export interface EdgeAddress {
  url: string
  host: string
  port: number
  /** The PEM certificate that clients of a TLS or HTTPS edge trust. */
  certificate: string | null
}

/** Raw records of one table. Writes are validated like a fixture. */
export interface RecordsHandle<R extends { id: string }> {
  /** In json-server's query language: `{ admin: 'true', _sort: 'name' }`. */
  list(query?: Record<string, string>): Promise<R[]>
  get(id: string): Promise<R>
  /** Generates a missing id. */
  add(record: Lenient<Omit<R, 'id'>> & { id?: string }): Promise<R>
  /** Null removes a field. */
  change(id: string, fields: { [F in keyof R]?: Lenient<R[F]> | null }): Promise<R>
  remove(id: string): Promise<void>
}
