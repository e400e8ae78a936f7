import { choice, flag, module, references } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'

const MAX_AUTHORITIES = 10

export const mutualTlsModule = module({
  key: 'mutual_tls',
  label: 'mutual TLS module',
  of: { https_edges: '10.9', tls_edges: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    certificate_authority_ids: references(['certificate_authorities'], {
      missing: errors.edge_authority_missing,
      shownAs: 'certificate_authorities',
      describe: 'Accepted authorities, up to 10',
    }),
  },
  check({ certificate_authority_ids: ids }, at, { fail }) {
    const { length } = ids
    const expected = `up to ${MAX_AUTHORITIES} authorities`
    if (length > MAX_AUTHORITIES)
      fail(errors.too_many_authorities, { field: `${at}certificate_authority_ids`, expected, received: `${length}` })
  },
})

const VERSIONS = ['1.2', '1.3'] as const

/** An HTTPS edge must terminate TLS to read requests. */
export const httpsTlsTerminationModule = module({
  key: 'tls_termination',
  label: 'TLS termination module',
  of: { https_edges: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    min_version: choice(VERSIONS, { error: errors.bad_tls_version, default: '1.2' }),
    terminate_at: choice(['edge'], { error: errors.https_terminate_at, default: 'edge' }),
  },
})

export const tlsTerminationModule = module({
  key: 'tls_termination',
  label: 'TLS termination module',
  of: { tls_edges: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    // Without a default, because it must be unset with terminate_at: upstream.
    min_version: {
      ...choice(VERSIONS, {
        error: errors.bad_tls_version,
        describe: '1.2 if null, and always null with terminate_at: upstream',
      }),
      unset: 'null',
    },
    terminate_at: choice(['edge', 'upstream'], { error: errors.bad_terminate_at, default: 'edge' }),
  },
  check({ terminate_at, min_version }, at, { fail }) {
    if (terminate_at === 'upstream' && min_version !== undefined)
      fail(errors.version_not_terminated, { field: `${at}min_version`, received: min_version })
  },
})
