import type { EventDelivery } from './event-delivery.ts'

/** Matches requests that meet all conditions. */
export interface Pattern<Operation extends string = string> {
  operation?: Operation
  method?: string
  /** `*` matches any characters of a segment, `**` any segments. */
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
  /** With any of the next four, it matches edge traffic instead of API requests. */
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

/** A number or a sequence of matching requests that the journal should contain. */
export interface Expectation<Operation extends string = string> extends Pattern<Operation>, Times {
  sequence?: Pattern<Operation>[]
}

/** Matches event deliveries that meet all conditions. */
export interface DeliveryPattern {
  /** Such as `ip_policy_created.v0`. `*` matches any characters. */
  type?: string
  destination?: string
  subscription?: string
  status?: EventDelivery['status']
  /** Conditions like those of a `Pattern`, by name: `object.description`, `principal.id`. */
  where?: Record<string, unknown>
}

/** A number or a sequence of matching deliveries. */
export interface DeliveryExpectation extends DeliveryPattern, Times {
  sequence?: DeliveryPattern[]
}

export interface Difference {
  field: string
  expected: unknown
  /** Omitted if the value does not exist. */
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
