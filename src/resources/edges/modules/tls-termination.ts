import { choice, derived, flag, module } from '../../../schema/index.ts'

const common = () => ({
  enabled: flag({ default: true }),
  min_version: choice(['1.2', '1.3'], { error: 'invalid_value', default: '1.2' }),
})

/** An HTTPS edge ends TLS itself: requests could not be read otherwise. docs/api.md 10.9. */
export const httpsTlsTerminationModule = module({
  key: 'tls_termination',
  label: 'TLS termination module',
  of: { https_edges: '10.9' },
  fields: { ...common(), terminate_at: derived(() => 'edge') },
})

/** Where TLS of a TLS edge ends: at the edge or at the upstream. docs/api.md 10.9. */
export const tlsTerminationModule = module({
  key: 'tls_termination',
  label: 'TLS termination module',
  of: { tls_edges: '10.9' },
  fields: {
    ...common(),
    terminate_at: choice(['edge', 'upstream'], { error: 'invalid_value', default: 'edge' }),
  },
})
