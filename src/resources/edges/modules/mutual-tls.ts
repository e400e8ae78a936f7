import { flag, module, references } from '../../../schema/index.ts'

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
