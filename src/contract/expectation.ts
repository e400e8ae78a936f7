import type { EventDelivery } from './event-delivery.ts'
import type { OperationName } from './shapes.ts'

/** Matches requests that meet all given conditions. */
export interface Pattern {
  operation?: OperationName
  method?: string
  /** `*` stands for any part of a segment, `**` for any segments. */
  path?: string
  /** A status, or a class like `4xx`. */
  status?: number | string
  /** The id of a user, bot or key. */
  caller?: string
  /**
   * Conditions by name: `body.description`, `query.limit`, `headers.user-agent`, `response.id`. Each is a value, or
   * `{ contains }`, `{ matches }`, `{ absent }`, `{ gt }`, `{ gte }`, `{ lt }`, `{ lte }`.
   */
  where?: Record<string, unknown>
  /** With any of the next four it matches connections and requests to edges, not requests to the API. */
  edge?: string
  verdict?: 'allow' | 'refuse'
  source_ip?: string
  route?: string
}

interface Times {
  count?: number
  at_least?: number
  at_most?: number
}

/** What the journal should contain: a number of matching requests, or a sequence of them. */
export interface Expectation extends Pattern, Times {
  sequence?: Pattern[]
}

/** Matches deliveries of events that meet all given conditions. */
export interface DeliveryPattern {
  /** Such as `ip_policy_created.v0`; `*` stands for any part of it. */
  type?: string
  destination?: string
  subscription?: string
  status?: EventDelivery['status']
  /** Conditions like those of a `Pattern`, by name: `object.description`, `principal.id`. */
  where?: Record<string, unknown>
}

/** What should have been published: a number of matching deliveries, or a sequence of them. */
export interface DeliveryExpectation extends DeliveryPattern, Times {
  sequence?: DeliveryPattern[]
}

export interface Difference {
  field: string
  expected: unknown
  /** Left out if there is no such value. */
  received?: unknown
}

/** A request that nearly matches, and how it differs. */
export interface Miss {
  id: string
  /** Null for a connection. */
  method: string | null
  path: string | null
  status: number | null
  differs: Difference[]
}

/** A delivery that nearly matches, and how it differs. */
export interface DeliveryMiss extends Pick<EventDelivery, 'id' | 'type' | 'destination' | 'status'> {
  differs: Difference[]
}
