/** An event as destinations get it: a change of the account, who made it, and the resource at that time. */
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
  /** The id of the event: the same for all its destinations. */
  id: string
  seq: number
  at: string
  sandbox: string
  type: string
  destination: string
  subscription: string
  /** `kept`: nothing is sent without --deliver-to. */
  status: 'kept' | 'pending' | 'delivered' | 'failed'
  /** How often it was tried to send it. */
  attempts: number
  /** The status of the receiver's last answer; null if there was none. */
  answer: number | null
  /** Why the last attempt failed. */
  failure: string | null
  /** The rules of the scenario that concerned its attempts. */
  rules: { name: string; fired: boolean; effect: string }[]
  body: EventBody
}
