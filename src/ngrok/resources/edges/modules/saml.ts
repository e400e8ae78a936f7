import { memoize } from '../../../../basics/memoize.ts'
import {
  checkBytes,
  choice,
  derived,
  flag,
  module,
  type Row,
  textShape,
  value,
} from '../../../../engine/language/index.ts'
import { issueForItself } from '../../../certificates/issue.ts'
import { errors } from '../../../errors.ts'
import { vendorHosts } from '../../../vendor.ts'
import { MODULE_LIMITS, texts, upTo } from './limits.ts'
import { METADATA_EXAMPLE, whyNotMetadata } from './saml-metadata.ts'
import { sessionFields } from './signed-in.ts'

const MAX_BYTES = MODULE_LIMITS.metadataBytes

const metadata = textShape(
  { maxLength: MAX_BYTES, 'x-max-bytes': MAX_BYTES, examples: [METADATA_EXAMPLE], 'x-lines': true },
  text => {
    const long = checkBytes(text, MAX_BYTES, errors.saml_metadata_too_long)
    if (long || text === '') return long
    const why = whyNotMetadata(text)
    return why === undefined
      ? undefined
      : { error: errors.bad_saml_metadata, expected: `EntityDescriptor XML (${why})` }
  },
)

const formats = (version: string, ...names: string[]) =>
  names.map(name => `urn:oasis:names:tc:SAML:${version}:nameid-format:${name}`)
const NAMEID_FORMATS = [
  ...formats('2.0', 'persistent', 'transient', 'entity', 'kerberos'),
  ...formats('1.1', 'unspecified', 'emailAddress', 'X509SubjectName', 'WindowsDomainQualifiedName'),
]

const entityId = (vendor: string, { id }: Row) => `https://${vendorHosts(vendor).signIn}/saml/${id}`
const entityUrl = (below: string) => derived((_values, row, { vendor }) => `${entityId(vendor, row)}${below}`)

/** Issuing a certificate takes longer than the rest of a response. */
const certificateOf = memoize(1000, issueForItself)

/** Stored, without effect. */
export const samlModule = module({
  key: 'saml',
  label: 'SAML module',
  of: { https_edge_routes: '10.9' },
  fields: {
    ...sessionFields(),
    idp_metadata: value(metadata, {
      default: '',
      content: 'text',
      describe: 'EntityDescriptor XML, required unless idp_metadata_url is set',
    }),
    idp_metadata_url: value(upTo(MODULE_LIMITS.secretBytes, { check: checkUrl }), {
      default: '',
      content: 'url',
      describe: 'Never fetched',
    }),
    force_authn: flag({ default: false }),
    allow_idp_initiated: flag({ default: true }),
    authorized_groups: texts(),
    nameid_format: choice(NAMEID_FORMATS, { error: errors.invalid_value, default: NAMEID_FORMATS[0] }),
    entity_id: entityUrl(''),
    assertion_consumer_service_url: entityUrl('/acs'),
    single_logout_url: entityUrl('/slo'),
    metadata_url: entityUrl(''),
    request_signing_certificate_pem: derived((_values, row, { vendor }) =>
      certificateOf(entityId(vendor, row), row.created_at!),
    ),
  },
  check(values, at, { fail }) {
    const { idp_metadata: text, idp_metadata_url: url } = values
    if (text !== '' && url !== '') fail(errors.two_saml_metadata, { field: `${at}idp_metadata_url` })
    if (text === '' && url === '') fail(errors.no_saml_metadata, { field: `${at}idp_metadata` })
  },
})

function checkUrl(url: string) {
  if (url === '' || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return undefined
  return { expected: 'a URL like https://id.example.com/metadata' }
}
