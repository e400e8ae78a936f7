/** An event as sent to destinations: an account change, its author, and the resource at that time. */
export interface EventBody {
  event_id: string
  event_type: string
  event_timestamp: string
  account_id: string
  principal: {
    id: string
    subject: string
    source: 'API'
    credential: { id: string; uri: string }
  }
  object: Record<string, unknown>
}

/** One event for one destination of one subscription. */
export interface EventDelivery {
  /** The event id, the same for all its destinations. */
  id: string
  seq: number
  at: string
  sandbox: string
  type: string
  destination: string
  subscription: string
  /** `kept`: only recorded, because nothing is sent without --deliver-to. */
  status: 'kept' | 'pending' | 'delivered' | 'failed'
  /** The number of send attempts. */
  attempts: number
  /** The status of the receiver's last response. Null without one. */
  answer: number | null
  /** Why the last attempt failed. */
  failure: string | null
  /** The scenario rules that matched its attempts. */
  rules: { name: string; fired: boolean; effect: string }[]
  body: EventBody
}
