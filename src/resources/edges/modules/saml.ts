import { derived, flag, listOf, module, textShape, value } from '../../../schema/index.ts'
import { sessionFields } from './signed-in.ts'

/** Only who signs in with a SAML provider may pass. It is kept and not acted on. docs/api.md 10.9. */
export const samlModule = module({
  key: 'saml',
  label: 'SAML module',
  of: { https_edge_routes: '10.9' },
  fields: {
    ...sessionFields(),
    idp_metadata: value(textShape({ 'x-lines': true }), { default: '' }),
    idp_metadata_url: value(textShape(), { default: '' }),
    force_authn: flag({ default: false }),
    allow_idp_initiated: flag({ default: true }),
    authorized_groups: value(listOf(textShape()), { default: [] }),
    nameid_format: value(textShape(), { default: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' }),
    entity_id: derived((_values, { id }) => `https://idp.example.com/saml/${id}`),
    assertion_consumer_service_url: derived((_values, { id }) => `https://idp.example.com/saml/${id}/acs`),
    single_logout_url: derived((_values, { id }) => `https://idp.example.com/saml/${id}/slo`),
    metadata_url: derived((_values, { id }) => `https://idp.example.com/saml/${id}/metadata`),
    request_signing_certificate_pem: derived(() => ''),
  },
})
