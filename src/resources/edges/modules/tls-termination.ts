import { choice, flag, module } from '../../../schema/index.ts'

const VERSIONS = ['1.2', '1.3'] as const

/** An HTTPS edge ends TLS itself: requests could not be read otherwise. docs/api.md 10.9. */
export const httpsTlsTerminationModule = module({
  key: 'tls_termination',
  label: 'TLS termination module',
  of: { https_edges: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    min_version: choice(VERSIONS, { error: 'bad_tls_version', default: '1.2' }),
    terminate_at: choice(['edge'], { error: 'https_terminate_at', default: 'edge' }),
  },
})

/** Where TLS of a TLS edge ends: at the edge or at the upstream. docs/api.md 10.9. */
export const tlsTerminationModule = module({
  key: 'tls_termination',
  label: 'TLS termination module',
  of: { tls_edges: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    // Without a default: what does not end at the edge has no version there. 1.2 is meant where none is given.
    min_version: { ...choice(VERSIONS, { error: 'bad_tls_version' }), unset: 'null' },
    terminate_at: choice(['edge', 'upstream'], { error: 'bad_terminate_at', default: 'edge' }),
  },
  check({ terminate_at, min_version }, at, { fail }) {
    if (terminate_at === 'upstream' && min_version !== undefined)
      fail('version_not_terminated', { field: `${at}min_version`, received: min_version as string })
  },
})
