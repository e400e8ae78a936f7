import { choice, flag, module, references } from '../../../schema/index.ts'

const MAX_AUTHORITIES = 10

/** Only clients with a certificate of one of these authorities may connect. docs/api.md 10.9. */
export const mutualTlsModule = module({
  key: 'mutual_tls',
  label: 'mutual TLS module',
  of: { https_edges: '10.9', tls_edges: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    certificate_authority_ids: references(['certificate_authorities'], {
      missing: 'edge_authority_missing',
      shownAs: 'certificate_authorities',
    }),
  },
  check({ certificate_authority_ids: ids }, at, { fail }) {
    const { length } = ids as string[]
    const expected = `at most ${MAX_AUTHORITIES} authorities`
    if (length > MAX_AUTHORITIES)
      fail('too_many_authorities', { field: `${at}certificate_authority_ids`, expected, received: `${length}` })
  },
})

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
