/**
 * The prefixes of event types. They are not derived from the declarations, because a subscription is one of them. A test
 * checks that they include the `event` of every declaration.
 */
export const eventWords = [
  'api_key',
  'certificate_authority',
  'domain',
  'event_destination',
  'event_subscription',
  'ip_policy',
  'ip_policy_rule',
  'ip_restriction',
  'secret',
  'ssh_certificate_authority',
  'ssh_host_certificate',
  'ssh_public_key',
  'ssh_user_certificate',
  'tcp_address',
  'tls_certificate',
  'tunnel_credential',
  'vault',
]

export type EventAction = 'created' | 'updated' | 'deleted'

export const eventType = (word: string, action: EventAction) => `${word}_${action}.v0`

const ACTIONS: EventAction[] = ['created', 'updated', 'deleted']

/** Agent and traffic events: accepted as sources, but never published. */
const OTHERS = [
  'agent_session_start.v0',
  'agent_session_stop.v0',
  'http_request_complete.v0',
  'tcp_connection_closed.v0',
]

export const eventTypes: readonly string[] = [
  ...eventWords.flatMap(word => ACTIONS.map(action => eventType(word, action))),
  ...OTHERS,
]
