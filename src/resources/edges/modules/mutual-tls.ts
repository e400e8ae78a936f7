import { flag, module, references } from '../../../schema/index.ts'

/** Only clients with a certificate of one of these authorities may connect. docs/api.md 10.9. */
export const mutualTlsModule = module({
  key: 'mutual_tls',
  label: 'mutual TLS module',
  of: { https_edges: '10.9', tls_edges: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    certificate_authority_ids: references(['certificate_authorities'], {
      missing: 'bad_reference',
      shownAs: 'certificate_authorities',
    }),
  },
})
