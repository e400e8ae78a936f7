import { didYouMean } from '../basics/nearest.ts'
import type { Received } from '../basics/problem.ts'
import { withArticle } from '../basics/text.ts'
import {
  allowed,
  defineErrors,
  type ErrorKind,
  error,
  listed,
  mustBe,
  mustExist,
  notAnIdOf,
  notFound,
  type Params,
  type Reference,
  sentence,
  stillUsed,
} from '../engine/error.ts'
import { errors as serverErrors } from '../server/errors.ts'

/** An error of the vendor's API. */
export interface VendorError<P = never> extends ErrorKind<P> {
  /** The vendor's number or word. Null if it documents none. */
  code: number | string | null
  /** The section of docs/api.md. */
  section: string
  /** Returned by an edge, not by the API. */
  ofEdge?: true
}

type Message<P> = (params: P) => string
const row = <P>(
  code: number | string | null,
  status: number,
  section: string,
  message: Message<P>,
): VendorError<P> => ({
  ...error(status, message),
  code,
  section,
})
const unnumbered = <P>(status: number, section: string, message: Message<P>) => row(null, status, section, message)
const ofEdge = <P>(code: number, status: number, section: string, message: Message<P>): VendorError<P> => ({
  ...row(code, status, section, message),
  ofEdge: true,
})

const mayHave = (p: Received) => `"${p.field}" can have ${p.expected}, got ${p.received}.`
const mustName = (p: Received) => `"${p.field}" must name ${p.expected}, got ${p.received}.`
const noSuch = (p: { id: string; label: string; nearest?: string }) =>
  `${notFound(`${p.label} ${p.id}`)}${didYouMean(p.nearest)}`
const noSuchPolicy = (p: { field: string; id: string; nearest?: string }) =>
  `"${p.field}" must contain existing IP policies, got ${JSON.stringify(p.id)}.${didYouMean(p.nearest)} To accept unknown ids: --assume unknown_reference=accept.`
const mustBeId = (p: Reference) =>
  `"${p.field}" must be the id of ${withArticle(p.label)}, got ${JSON.stringify(p.id)}.${didYouMean(p.nearest)}`
const cannotContain = (p: Reference) =>
  `"${p.field}" cannot contain ${p.id}, a backend of another kind. Allowed: the id of ${withArticle(p.label)}.`
const mustBeUnique = (p: { field: string; value: string; existing: string }) =>
  `"${p.field}" must be unique in the account, but ${p.existing} already has ${JSON.stringify(p.value)}. Update or delete ${p.existing}.`
const noSshAuthority = (p: { field: string; id?: string; nearest?: string }) =>
  `"${p.field}" must be the id of an existing SSH certificate authority, got ${p.id === undefined ? 'nothing' : JSON.stringify(p.id)}.${didYouMean(p.nearest)}`
const endsTooEarly = (p: { field: string; after: string; until: string }) =>
  `"${p.field}" must be later than "valid_after" (${p.after}), got ${p.until}.`
const nameUsed = (kind: string) => (p: { id: string; name: string; users: string[]; more: number }) =>
  `The reserved ${kind} ${p.id} (${p.name}) is used by ${listed(p)}. Change or delete them first. To delete it anyway: --assume delete_referenced=detach.`
const vendorsDomain = (p: { field: string; domain: string }) =>
  `"${p.field}" must be null, because the vendor has a certificate for its domain ${p.domain}.`
type Hostport = { field: string; hostport: string }
const ANY_HOSTPORT = 'To allow any: --assume edge_hostports=any.'
const addrInstead = (p: Hostport) =>
  `"${p.field}" must contain reserved domains, got ${p.hostport}. Reserved addresses are for TCP edges. ${ANY_HOSTPORT}`
const mustBeDocument = (p: { field: string; why: string }) =>
  `"${p.field}" must be a string with a JSON or YAML object: ${sentence(p.why)}`
const noValues = (p: { label: string; id: string; allowed: string[] }) =>
  `The update of the ${p.label} ${p.id} sets no field. Set at least one.${allowed(p.allowed)} To accept it: --assume empty_update=accept.`

// biome-ignore format: the message of a row begins a line, however long the row is
const own = defineErrors({
  no_authorization: row(200, 401, '5', (_: Params) =>
    'The Authorization header is missing. Send Authorization: Bearer <token of an API key>.'),
  bad_authorization: row(201, 401, '5', (p: { why: string }) =>
    `The Authorization header is invalid: ${p.why}. Send "Bearer <token>", or "Basic" with the token as the password.`),
  not_a_credential: row(202, 401, '5', (p: { why: string }) => `The token is malformed: ${p.why}.`),
  unknown_token: row(203, 401, '5', (p: { sandbox: string }) =>
    `No API key in the sandbox "${p.sandbox}" has this token. It was never issued there, or its key was deleted.`),
  no_such_sandbox: row(203, 401, '5', (p: { sandbox: string }) =>
    `Sandbox "${p.sandbox}" not found. Only tokens in the launch fixture create a sandbox on first use. Create the sandbox with PUT /_sim/sandboxes/${p.sandbox}.`),
  caller_inactive: row(203, 401, '10.10', (p: { id: string; owner: string; path: string }) =>
    `The API key ${p.id} belongs to ${p.owner}, which is not active. Use the key of another owner, or activate this one: PATCH ${p.path} with "active": true.`),
  credential_as_token: row(206, 401, '10.11', (p: { id: string }) =>
    `This is the token of the credential ${p.id}, which only agents use. Send the token of an API key, or create one with POST /api_keys.`),
  key_id_as_token: row(208, 401, '5', (p: { id: string }) =>
    `${p.id} is the id of an API key, not its token. Send the token returned when the key was created.`),
  wrong_version: row(217, 400, '9', (p: { header: string; received: string }) =>
    `${p.header}: ${p.received} is not supported. Send ${p.header}: 2. To accept any version: --assume wrong_version=accept.`),
  missing_version: row(218, 400, '9', (p: { header: string; other?: string; vendor?: string }) =>
    `The ${p.header} header is missing. Send ${p.header}: 2.${p.other ? ` The request has a ${p.other} header. To use it, start with --vendor ${p.vendor}.` : ''} To accept requests without it: --assume missing_version=accept.`),
  source_blocked: row(220, 403, '4.2', (p: { source_ip: string; restriction: string; why: string }) =>
    `The IP restriction ${p.restriction} (type api, enforced) blocks ${p.source_ip}: ${p.why}.`),
  bad_owner: row(223, 400, '4.1', (p: { field: string; id: string; nearest?: string }) =>
    `"${p.field}" must be the id of an existing user, bot user or service user, got ${JSON.stringify(p.id)}.${didYouMean(p.nearest)}`),
  bad_cursor: row(230, 400, '4', (p: { field: string; received: string; label: string; nearest?: string }) =>
    `"${p.field}" must be the id of ${withArticle(p.label)} in this list, got ${JSON.stringify(p.received)}.${didYouMean(p.nearest)} Use the id of an item on the previous page, or omit it for the first page.`),
  limit_out_of_range: row(233, 400, '4', (p: { received: string }) =>
    `"limit" must be from 1 to 100, got ${p.received}.`),
  limit_not_a_number: row(244, 400, '4', (p: { received: string }) =>
    `"limit" must be an integer from 1 to 100, got ${JSON.stringify(p.received)}.`),
  bad_filter: row(250, 400, '10.8', (p: { field: string; why: string }) =>
    `"${p.field}" must be a boolean expression over obj, such as obj.id == "ak_ci". Error ${sentence(p.why)}`),
  description_too_long: row(604, 400, '8', mayHave),
  metadata_too_long: row(605, 400, '8', mayHave),
  owner_not_allowed: row(630, 403, '4.1', (p: { field: string; owner_id: string; caller: string }) =>
    `Only an admin can set another owner. The caller is ${p.caller}, and "${p.field}" is ${JSON.stringify(p.owner_id)}. Omit "${p.field}", or use an admin's key.`),
  owner_inactive: row(636, 400, '10.10', (p: { field: string; id: string }) =>
    `"${p.field}" must be an active owner, but ${p.id} is inactive. Update it with "active": true first.`),
  bad_acl_rule: row(600, 400, '10.11', mustBe),
  credential_update_empty: row(606, 400, '10.11', noValues),
  service_user_without_name: row(4109, 400, '10.10', mustBe),
  service_user_name_too_long: row(4110, 400, '10.10', mayHave),
  not_for_members: row(4111, 403, '10.10', (p: { caller: string; label: string }) =>
    `Only an admin can create, update or delete a ${p.label}, and ${p.caller} is not an admin. Use an admin's key.`),
  service_user_name_taken: row(4112, 400, '10.10', mustBeUnique),
  bad_vault_name: row(23000, 400, '10.17', mustBe),
  vault_without_name: row(23001, 400, '10.17', mustBe),
  vault_name_too_long: row(23002, 400, '10.17', mayHave),
  vault_not_empty: row(23003, 400, '10.17', (p: { id: string; users: string[]; more: number }) =>
    `The vault ${p.id} contains the secrets ${listed(p)}. Delete them first.`),
  vault_name_taken: row(23004, 400, '10.17', mustBeUnique),
  bad_secret_name: row(24000, 400, '10.17', mustBe),
  secret_without_name: row(24001, 400, '10.17', mustBe),
  secret_name_too_long: row(24002, 400, '10.17', mayHave),
  secret_without_value: row(24003, 400, '10.17', mustBe),
  secret_too_long: row(24004, 400, '10.17', mayHave),
  secret_name_taken: row(24005, 400, '10.17', (p: { field: string; value: string; existing: string }) =>
    `"${p.field}" must be unique in the vault, but its secret ${p.existing} already has ${JSON.stringify(p.value)}. Update or delete ${p.existing}.`),
  secret_vault_missing: row(24006, 400, '10.17', mustExist),
  secret_vault_name_missing: row(24009, 400, '10.17', (p: { field: string; name: string; nearest?: string }) =>
    `"${p.field}" must be the name of an existing vault, got ${JSON.stringify(p.name)}.${didYouMean(p.nearest)}`),
  secret_without_vault: row(24008, 400, '10.17', mustBe),
  policy_missing: row(1801, 400, '4.2', noSuchPolicy),
  one_per_type: row(1802, 400, '4.2', (p: { field: string; type: string; existing: string }) =>
    `An IP restriction of type ${p.type} already exists: ${p.existing}. Update or delete it first. To allow several: --assume restrictions_per_type=many.`),
  bad_restriction_type: row(1803, 400, '4.2', mustBe),
  no_policies: row(1804, 400, '4.2', (p: { field: string }) =>
    `"${p.field}" must contain at least one IP policy. To allow none: --assume restriction_without_policies=accept, and empty_policy_list_on_update=clear for updates.`),
  bad_policy_id: row(229, 400, '10.1', mustBeId),
  policy_update_empty: row(1400, 400, '10.1', noValues),
  rule_update_empty: row(1401, 400, '10.2', noValues),
  policy_not_found: row(1402, 404, '10.1', noSuch),
  rule_not_found: row(1404, 404, '10.2', noSuch),
  rule_field_missing: row(1405, 400, '10.2', mustBe),
  bad_cidr: row(1406, 400, '10.2', mustBe),
  cidr_twice: row(1408, 400, '10.2', (p: { field: string; cidr: string; existing: string; policy: string }) =>
    `"${p.field}" must be unique in the policy ${p.policy}, but its rule ${p.existing} already has ${p.cidr}. Update or delete ${p.existing}.`),
  cidr_not_lowest: row(1409, 400, '10.2', (p: { field: string; received: string; lowest: string }) =>
    `"${p.field}" must be the lowest address of its block, got ${p.received}.${didYouMean(p.lowest)}`),
  cidr_without_mask: row(1413, 400, '10.2', (p: Received) =>
    `"${p.field}" must be ${p.expected}, but ${p.received} has no mask.${didYouMean(p.nearest)}`),
  rule_policy_missing: row(1414, 400, '10.2', mustExist),
  only_rule_in_use: row(1419, 400, '10.2', (p: { id: string; policy: string; restriction: string }) =>
    `${p.id} is the only rule of the IP policy ${p.policy}, which the IP restriction ${p.restriction} of type dashboard uses. Remove the policy from the restriction first, or add another rule.`),
  policy_restricts: row(1420, 400, '10.1', (p: { id: string; users: string[]; more: number }) =>
    `The IP policy ${p.id} is used by the IP restrictions ${listed(p)}. Remove it from them first.`),
  rule_description_too_long: row(1421, 400, '10.2', mayHave),
  bad_rule_action: row(1422, 400, '10.2', mustBe),
  action_of_policy: row(1423, 400, '10.1', (p: { field: string }) =>
    `"${p.field}" belongs to the rules of an IP policy, not to the policy. Set it with POST /ip_policy_rules.`),
  bad_backend_id: row(242, 400, '10.3', mustBeId),
  backend_missing: row(6501, 400, '10.7', (p: Reference) =>
    `"${p.field}" must be the id of an existing backend, got ${JSON.stringify(p.id)}.${didYouMean(p.nearest)}`),
  backend_in_backend: row(6502, 400, '10.25', stillUsed),
  backend_description_too_long: row(6503, 400, '10.3', mayHave),
  backend_metadata_too_long: row(6504, 400, '10.3', mayHave),
  no_backend_address: row(6505, 400, '10.3', mustBe),
  backend_without_port: row(6506, 400, '10.3', mustBe),
  backend_without_host: row(6507, 400, '10.3', mustBe),
  too_many_labels: row(6508, 400, '10.25', mayHave),
  label_name_length: row(6509, 400, '10.25', mustBe),
  label_value_length: row(6510, 400, '10.25', mustBe),
  too_many_weighted_backends: row(6511, 400, '10.25', mayHave),
  bad_weight: row(6512, 400, '10.25', mustBe),
  too_many_failover_backends: row(6513, 400, '10.25', mayHave),
  backend_not_found: row(6514, 404, '10.3', noSuch),
  response_body_too_long: row(6516, 400, '10.25', mayHave),
  bad_response_status: row(6517, 400, '10.25', mustBe),
  response_header_name_too_long: row(6522, 400, '10.25', mayHave),
  response_header_value_too_long: row(6523, 400, '10.25', mayHave),
  not_for_weighted: row(6524, 400, '10.25', cannotContain),
  not_for_failover: row(6525, 400, '10.25', cannotContain),
  not_a_backend: row(6526, 400, '10.25', (p: Reference) =>
    `"${p.field}" must contain ids of backends, got ${JSON.stringify(p.id)}.${didYouMean(p.nearest)} These ids start with bkd.`),
  other_backend_kind: row(6527, 404, '10.3', notAnIdOf),
  label_with_equals: row(6531, 400, '10.25', mustBe),
  bad_event_format: row(235, 400, '10.16', mustBe),
  bad_destination_target: row(236, 400, '10.16', mustBe),
  bad_event_type: row(238, 400, '10.16', mustBe),
  no_destination_target: row(5100, 400, '10.16', mustBe),
  no_such_destination: row(5103, 400, '10.16', mustExist),
  no_destination_auth: row(5106, 400, '10.16', mustBe),
  no_destination_credentials: row(5107, 400, '10.16', mustBe),
  destination_target_fixed: row(5108, 400, '10.16', (p: { field: string; id: string; before: string; received: string }) =>
    `"${p.field}" of ${p.id} is ${p.before} and cannot change to ${p.received}. Create another event destination.`),
  destination_used: row(5112, 400, '10.16', stillUsed),
  two_destination_targets: row(5115, 400, '10.16', mustBe),
  two_destination_auths: row(5116, 400, '10.16', mustBe),
  bad_arn: row(5120, 400, '10.16', mustBe),
  subscription_not_found: row(5123, 404, '10.16', noSuch),
  source_not_found: row(5125, 404, '10.16', (p: { id: string; value: string; allowed: string[] }) =>
    `The event subscription ${p.id} has no source ${p.value}.${p.allowed.length > 0 ? ` It has ${p.allowed.join(', ')}.` : ''}`),
  source_twice: row(5127, 400, '10.16', (p: { field: string; type: string }) =>
    `"${p.field}" contains ${p.type} twice. List each type once.`),
  no_datadog_key: row(5133, 400, '10.16', mustBe),
  no_azure_rule: row(5136, 400, '10.16', mustBe),
  no_azure_stream: row(5137, 400, '10.16', mustBe),
  no_azure_uri: row(5138, 400, '10.16', mustBe),
  certificate_unreadable: row(1900, 400, '10.14', mustBe),
  private_key_missing: row(1901, 400, '10.14', mustBe),
  private_key_encrypted: row(1902, 400, '10.14', (p: Received) =>
    `"${p.field}" must be ${p.expected}, got an encrypted key. Decrypt it first: openssl pkey -in FILE.`),
  private_key_unreadable: row(1903, 400, '10.14', mustBe),
  pem_headers: row(1910, 400, '10.14', mustBe),
  pem_of_other_type: row(1911, 400, '10.14', mustBe),
  several_authorities: row(1912, 400, '10.14', (p: Received) =>
    `"${p.field}" must be ${p.expected}, got ${p.received}. Create one authority for each.`),
  not_an_authority: row(1913, 400, '10.14', (p: Received) =>
    `"${p.field}" must be ${p.expected}, got ${p.received} without CA:TRUE in its basic constraints.`),
  authority_missing: row(1919, 400, '10.14', mustBe),
  authority_not_pem: row(1920, 400, '10.14', mustBe),
  certificate_too_long: row(1921, 400, '10.14', mayHave),
  certificate_missing: row(1922, 400, '10.14', mustBe),
  key_of_another: row(1923, 400, '10.14', (p: { field: string; certificate: string }) =>
    `"${p.field}" must be the private key of the certificate in "${p.certificate}", got the key of another certificate. Send a matching pair.`),
  key_is_certificate: row(1924, 400, '10.14', mustBe),
  certificate_is_key: row(1925, 400, '10.14', mustBe),
  bundle_order: row(1926, 400, '10.14', (p: Received) =>
    `"${p.field}" must be ${p.expected}, got ${p.received}. Start with the server certificate, then add its issuer.`),
  certificate_managed: row(1966, 400, '10.12', (p: { id: string; users: string[] }) =>
    `The certificate ${p.id} is managed by the policy of the domain ${p.users[0]}. Remove the policy with DELETE /reserved_domains/${p.users[0]}/certificate_management_policy, or delete the domain.`),
  ssh_key_taken: row(609, 400, '10.24', (p: { field: string; existing: string }) =>
    `"${p.field}" must be unique in the account, but the SSH credential ${p.existing} already has this key. Use ${p.existing}, or delete it first.`),
  ssh_key_missing: row(611, 400, '10.24', mustBe),
  ssh_key_unreadable: row(612, 400, '10.24', mustBe),
  ssh_certified_key_unreadable: row(1934, 400, '10.24', mustBe),
  bad_ssh_key_type: row(1936, 400, '10.24', mustBe),
  ssh_authority_description_too_long: row(1937, 400, '10.24', mayHave),
  ssh_authority_metadata_too_long: row(1938, 400, '10.24', mayHave),
  bad_ssh_key_size: row(1939, 400, '10.24', mustBe),
  ssh_key_size_without_rsa: row(1940, 400, '10.24', (p: { field: string; type: string }) =>
    `"${p.field}" is only for rsa keys, and this key has the type ${p.type}. Omit it, or set "private_key_type": "rsa".`),
  bad_ssh_curve: row(1941, 400, '10.24', mustBe),
  ssh_curve_without_ecdsa: row(1942, 400, '10.24', (p: { field: string; type: string }) =>
    `"${p.field}" is only for ecdsa keys, and this key has the type ${p.type}. Omit it, or set "private_key_type": "ecdsa".`),
  ssh_host_description_too_long: row(1945, 400, '10.24', mayHave),
  ssh_host_metadata_too_long: row(1946, 400, '10.24', mayHave),
  ssh_user_description_too_long: row(1947, 400, '10.24', mayHave),
  ssh_user_metadata_too_long: row(1948, 400, '10.24', mayHave),
  ssh_host_authority_missing: row(1949, 400, '10.24', noSshAuthority),
  ssh_certified_key_type: row(1950, 400, '10.24', mustBe),
  ssh_user_authority_missing: row(1951, 400, '10.24', noSshAuthority),
  ssh_certified_key_missing: row(1952, 400, '10.24', mustBe),
  ssh_user_duration: row(1962, 400, '10.24', endsTooEarly),
  ssh_host_duration: row(1963, 400, '10.24', endsTooEarly),
  ssh_authority_used: row(1964, 400, '10.24', (p: { id: string; users: string[]; more: number }) =>
    `The SSH certificate authority ${p.id} has signed ${listed(p)}. Delete them first.`),
  bad_domain_region: row(400, 400, '10.12', mustBe),
  domain_inner_wildcard: row(402, 400, '10.12', mustBe),
  domain_partial_wildcard: row(403, 400, '10.12', mustBe),
  domain_letter: row(406, 400, '10.12', mustBe),
  domain_part_start: row(407, 400, '10.12', mustBe),
  domain_part_end: row(408, 400, '10.12', mustBe),
  domain_periods: row(409, 400, '10.12', mustBe),
  domain_hyphens: row(410, 400, '10.12', mustBe),
  domain_private: row(411, 400, '10.12', mustBe),
  bad_resolver_target: row('invalid_region_target', 400, '10.12', mustBe),
  domain_taken: row(413, 400, '10.12', (p: { field: string; value: string; existing: string }) =>
    `"${p.field}" must be unique, but ${p.value} is already reserved as ${p.existing}. Use ${p.existing}, or delete it first.`),
  domain_of_others: row(414, 400, '10.12', (p: { field: string; domain: string; suffix: string }) =>
    `"${p.field}" cannot be ${p.domain}, which belongs to the vendor. Reserve a name below it, such as app.${p.suffix}.`),
  wildcard_on_vendors: row(416, 400, '10.12', (p: { field: string; domain: string; suffix: string }) =>
    `"${p.field}" cannot be ${p.domain}, which covers all of the vendor's names. Reserve a name below it, such as *.app.${p.suffix}.`),
  domain_description_too_long: row(420, 400, '10.12', mayHave),
  domain_metadata_too_long: row(421, 400, '10.12', mayHave),
  domain_update_empty: row(422, 400, '10.12', noValues),
  certificate_and_policy: row(434, 400, '10.12', (p: { field: string }) =>
    `A certificate is either uploaded or managed. Set "${p.field}" or "certificate_management_policy", not both.`),
  bad_authority: row(435, 400, '10.12', mustBe),
  certificate_detached_alone: row(436, 400, '10.12', (p: { id: string }) =>
    `The certificate of ${p.id} is managed and cannot be detached on its own. Use DELETE /reserved_domains/${p.id}/certificate_management_policy.`),
  domain_underscore: row(438, 400, '10.12', mustBe),
  policy_on_vendors: row(439, 400, '10.12', vendorsDomain),
  certificate_on_vendors: row(440, 400, '10.12', vendorsDomain),
  domain_used: row(446, 400, '10.12', nameUsed('domain')),
  domain_not_qualified: row(448, 400, '10.12', mustBe),
  domain_part_too_long: row(513, 400, '10.12', mustBe),
  domain_too_long: row(514, 400, '10.12', mustBe),
  bad_key_type: row(1909, 400, '10.12', mustBe),
  domain_certificate_missing: row(1965, 400, '10.12', mustExist),
  bad_addr_region: row(500, 400, '10.13', mustBe),
  no_addr_left: row(503, 400, '10.13', (p: { field: string; region: string }) =>
    `No address is left in the region ${p.region}. Delete an unused address, or set another "${p.field}".`),
  addr_description_too_long: row(504, 400, '10.13', mayHave),
  addr_metadata_too_long: row(505, 400, '10.13', mayHave),
  addr_update_empty: row(506, 400, '10.13', noValues),
  addr_used: unnumbered(400, '10.13', nameUsed('address')),
  endpoint_type: row(248, 400, '10.15', (p: Received) =>
    `"${p.field}" must be ${p.expected}, got ${p.received}. The API creates only cloud endpoints. Agents create the others.`),
  endpoint_not_a_url: row(249, 400, '10.15', mustBe),
  endpoint_not_internal: row(9029, 400, '10.15', (p: { field: string; host: string }) =>
    `"${p.field}" must have a host that ends in .internal, because the binding is internal. Got ${p.host}.`),
  endpoint_host: row(18001, 400, '10.15', mustBe),
  endpoint_traffic_policy: row(18002, 400, '10.15', mustBeDocument),
  endpoint_port: row(18003, 400, '10.15', mustBe),
  endpoint_update_empty: row(18004, 400, '10.15', noValues),
  endpoint_scheme_changed: row(18005, 400, '10.15', (p: { id: string; field: string; from: string; to: string }) =>
    `"${p.field}" cannot change its scheme: the endpoint ${p.id} has ${p.from}, got ${p.to}. Create another endpoint for ${p.to}.`),
  endpoint_not_reserved: row(18006, 400, '10.15', (p: { field: string; url: string; instead: string }) =>
    `"${p.field}" must be on a reserved domain or address, got ${p.url}. ${p.instead}`),
  endpoint_taken: row(18009, 400, '10.15', (p: { field: string; url: string; existing: string }) =>
    `"${p.field}" must be unique, but the cloud endpoint ${p.existing} already uses ${p.url}. Update or delete ${p.existing}, or set pooling_enabled in both.`),
  endpoint_description_too_long: row(18012, 400, '10.15', mayHave),
  endpoint_metadata_too_long: row(18013, 400, '10.15', mayHave),
  endpoint_binding: row(18014, 400, '10.15', mustBe),
  endpoint_field_missing: row(18015, 400, '10.15', mustBe),
  endpoint_does_not_pool: row(18016, 400, '10.15', (p: { field: string; url: string; existing: string }) =>
    `"${p.field}" must be unique, but the endpoint ${p.existing} already uses ${p.url} and does not pool. Set pooling_enabled in ${p.existing} first.`),
  endpoint_must_pool: row(18017, 400, '10.15', (p: { field: string; url: string; existing: string }) =>
    `"${p.field}" must be unique, but the endpoint ${p.existing} already uses ${p.url}. Set pooling_enabled in both to share its traffic.`),
  endpoint_in_kubernetes: row(18018, 400, '10.15', mustBe),
  endpoint_scheme: row(18022, 400, '10.15', mustBe),
  endpoint_public_port: row(18023, 400, '10.15', mustBe),
  endpoint_of_agent: unnumbered(400, '10.15', (p: { id: string; type: string }) =>
    `${p.id} is an endpoint of the type ${p.type}. The API can update and delete only cloud endpoints. In edgesim, change it with /_sim/db/endpoints/${p.id}.`),
  ssh_update: row(1121, 400, '10.18', (p: { id: string }) =>
    `The tunnel session ${p.id} does not support update, because its transport is ssh. Only agent sessions do.`),
  ssh_restart: row(1122, 400, '10.18', (p: { id: string }) =>
    `The tunnel session ${p.id} does not support restart, because its transport is ssh. To end it: POST /tunnel_sessions/${p.id}/stop.`),
  ingress_description_too_long: row(6700, 400, '10.20', mayHave),
  ingress_metadata_too_long: row(6701, 400, '10.20', mayHave),
  bad_ingress_domain: row(6704, 400, '10.20', mustBe),
  ingress_of_vendor: row(6705, 400, '10.20', (p: { field: string; domain: string }) =>
    `"${p.field}" must be your own domain, but ${p.domain} belongs to the vendor.`),
  ingress_domain_taken: row(6706, 400, '10.20', mustBeUnique),
  bad_signing_request: row(19001, 400, '10.19', mustBe),
  bad_operator: row(19002, 400, '10.19', mustBe),
  bad_selector: row(19003, 400, '10.19', (p: { field: string; why: string }) =>
    `"${p.field}" must be a boolean expression over endpoint, such as true or endpoint.url.contains(".staging"). Error ${sentence(p.why)}`),
  edges_gone: row(7008, 410, '10', (p: { path: string }) =>
    `${p.path} is an edge path, and edges are assumed to be retired. To use edges: --assume edges=available.`),
  edges_read_only: row(7196, 403, '10', (p: { method: string; path: string }) =>
    `${p.method} ${p.path} would change an edge, and edges are assumed to be read-only. Allowed: GET. To change edges: --assume edges=available.`),
  edge_missing: row(7000, 404, '4', (p: { id: string; label: string; path: string; nearest?: string }) =>
    `${noSuch(p)} Create edges with POST ${p.path}, or in the fixture.`),
  bad_edge_id: row(7001, 404, '2', (p: { id: string; label: string; prefix: string }) =>
    `${JSON.stringify(p.id)} is not the id of ${withArticle(p.label)}. It must be ${p.prefix}_ followed by 1 to 64 of A-Z a-z 0-9 _ -.`),
  edge_policy_missing: row(7007, 400, '4.3', noSuchPolicy),
  module_no_policies: row(7025, 400, '4.3', (p: { field: string }) =>
    `"${p.field}" must contain at least one IP policy. To allow none: --assume module_without_policies=accept.`),
  too_many_policies: row(7013, 400, '4.3', mayHave),
  bad_tls_version: row(219, 400, '10.9', mustBe),
  bad_terminate_at: row(224, 400, '10.9', mustBe),
  traffic_policy_unreadable: row(2236, 400, '10.9', mustBeDocument),
  breaker_error_threshold: row(7011, 400, '10.9', mustBe),
  breaker_tripped_duration: row(7016, 400, '10.9', mustBe),
  breaker_rolling_window: row(7017, 400, '10.9', mustBe),
  breaker_num_buckets: row(7018, 400, '10.9', mustBe),
  webhook_secret_of_sns: row(7026, 400, '10.9', (p: { field: string }) =>
    `"${p.field}" must be empty, because sns signs webhooks with a certificate. Omit it.`),
  no_webhook_secret: row(7027, 400, '10.9', (p: { field: string; provider: string }) =>
    `"${p.field}" is required, because ${p.provider} signs webhooks with it.`),
  no_webhook_provider: row(7029, 400, '10.9', mustBe),
  unknown_webhook_provider: row(7030, 400, '10.9', mustBe),
  bad_sendgrid_key: row(7107, 400, '10.9', (p: { field: string }) =>
    `"${p.field}" must be the verification key of sendgrid: an ECDSA public key in DER, encoded as base64.`),
  webhook_secret_too_long: row(7154, 400, '10.9', mayHave),
  version_not_terminated: row(7032, 400, '10.9', (p: { field: string; received: string }) =>
    `"${p.field}" cannot be set with "terminate_at": "upstream", where the upstream chooses the version. Got ${p.received}.`),
  https_terminate_at: row(7109, 400, '10.9', (p: Received) =>
    `"${p.field}" cannot be set, because TLS of an HTTPS edge always ends at the edge. Omit it. Got ${p.received}.`),
  tls_not_terminated: row(7062, 400, '10.23', (p: { field: string }) =>
    `"${p.field}" cannot be upstream while mutual_tls is enabled, because client certificates are checked where TLS ends. Disable or delete mutual_tls first, or let TLS end at the edge.`),
  edge_authority_missing: row(7072, 400, '10.9', mustExist),
  too_many_authorities: row(7075, 400, '10.9', mayHave),
  long_inactivity: row(7092, 400, '10.9', mustBe),
  two_sign_ins: row(7079, 400, '10.9', (p: { field: string; enabled: string[] }) =>
    `"${p.field}" cannot be enabled with ${p.enabled.join(' and ')}, because a route can have only one of oauth, oidc and saml. Disable or delete the other first.`),
  sign_in_elsewhere: row(7155, 400, '10.9', (p: { field: string; existing: string }) =>
    `"${p.field}" cannot be enabled, because only one route of an edge can have oauth, oidc or saml, and ${p.existing} already has one. Disable or delete it first.`),
  half_an_oauth_app: row(7033, 400, '10.9', (p: { field: string }) =>
    `"${p.field}" is required, because an application has a client_id and a client_secret. Omit both to use the vendor's application.`),
  scopes_of_managed_app: row(7034, 400, '10.9', (p: { field: string }) =>
    `"${p.field}" must be empty unless client_id and client_secret are set, because the vendor's application has fixed scopes.`),
  no_managed_oauth_app: row(7166, 400, '10.9', (p: { field: string; provider: string }) =>
    `"${p.field}" and client_secret are required, because the vendor has no application at ${p.provider}.`),
  oauth_interval_too_short: row(7035, 400, '10.9', mustBe),
  oauth_interval_too_long: row(7158, 400, '10.9', mustBe),
  oauth_session_too_long: row(7161, 400, '10.9', mustBe),
  several_oauth_providers: row(7036, 400, '10.9', mustBe),
  no_oauth_provider: row(7037, 400, '10.9', mustBe),
  oauth_cookie_prefix: row(7042, 400, '10.9', mustBe),
  oauth_cookie_prefix_too_long: row(7136, 400, '10.9', mayHave),
  oauth_client_id_too_long: row(7137, 400, '10.9', mayHave),
  oauth_client_secret_too_long: row(7138, 400, '10.9', mayHave),
  too_many_oauth_scopes: row(7056, 400, '10.9', mayHave),
  oauth_scope_too_long: row(7141, 400, '10.9', mayHave),
  bad_oauth_email: row(7043, 400, '10.9', mustBe),
  oauth_email_punycode: row(7045, 400, '10.9', mustBe),
  oauth_email_twice: row(7046, 400, '10.9', mustName),
  oauth_email_empty: row(7051, 400, '10.9', mustBe),
  too_many_oauth_emails: row(7060, 400, '10.9', mayHave),
  oauth_email_upper_case: row(7067, 400, '10.9', mustBe),
  oauth_email_too_long: row(7139, 400, '10.9', mayHave),
  bad_oauth_domain: row(7039, 400, '10.9', mustBe),
  oauth_domain_punycode: row(7044, 400, '10.9', mustBe),
  oauth_domain_twice: row(7047, 400, '10.9', mustName),
  oauth_domain_empty: row(7052, 400, '10.9', mustBe),
  too_many_oauth_domains: row(7061, 400, '10.9', mayHave),
  oauth_domain_upper_case: row(7068, 400, '10.9', mustBe),
  oauth_domain_too_long: row(7140, 400, '10.9', mayHave),
  bad_github_team: row(7040, 400, '10.9', mustBe),
  github_team_twice: row(7048, 400, '10.9', mustName),
  github_team_empty: row(7053, 400, '10.9', mustBe),
  too_many_github_teams: row(7057, 400, '10.9', mayHave),
  github_team_too_long: row(7144, 400, '10.9', mayHave),
  github_organization_twice: row(7049, 400, '10.9', mustName),
  github_organization_empty: row(7054, 400, '10.9', mustBe),
  too_many_github_organizations: row(7058, 400, '10.9', mayHave),
  github_organization_too_long: row(7145, 400, '10.9', mayHave),
  oidc_issuer_too_long: row(7087, 400, '10.9', mayHave),
  no_oidc_issuer: row(7088, 400, '10.9', mustBe),
  no_oidc_client_id: row(7089, 400, '10.9', mustBe),
  no_oidc_client_secret: row(7090, 400, '10.9', mustBe),
  oidc_client_id_too_long: row(7148, 400, '10.9', mayHave),
  oidc_client_secret_too_long: row(7149, 400, '10.9', mayHave),
  too_many_oidc_scopes: row(7150, 400, '10.9', mayHave),
  oidc_scope_too_long: row(7151, 400, '10.9', mayHave),
  oidc_cookie_prefix_too_long: row(7153, 400, '10.9', mayHave),
  oidc_session_too_long: row(7162, 400, '10.9', mustBe),
  saml_metadata_too_long: row(7080, 400, '10.9', mayHave),
  two_saml_metadata: row(7081, 400, '10.9', (p: { field: string }) =>
    `"${p.field}" and idp_metadata cannot be used together. Set one of them.`),
  bad_saml_metadata: row(7083, 400, '10.9', mustBe),
  no_saml_metadata: row(7091, 400, '10.9', (p: { field: string }) =>
    `"${p.field}" or idp_metadata_url is required, because sign-in needs the provider's metadata.`),
  route_elsewhere: row(7110, 404, '4.4', (p: { id: string; parent: string; owner: string }) =>
    `The route ${p.id} belongs to the edge ${p.owner}, not to ${p.parent}.`),
  route_missing: row(7124, 404, '4.4', (p: { id: string; parent: string; nearest?: string }) =>
    `The edge ${p.parent} has no route ${p.id}.${didYouMean(p.nearest)}`),
  route_twice: row(7126, 400, '10.6', (p: { field: string; value: string; existing: string }) =>
    `"${p.field}" must be unique on this edge, but the route ${p.existing} already has ${p.value}. Update or delete ${p.existing}.`),
  edge_description_too_long: row(7073, 400, '10.4', mayHave),
  edge_metadata_too_long: row(7074, 400, '10.4', mayHave),
  bad_hostport: row(7104, 400, '10.4', mustBe),
  hostport_port: row(7112, 400, '10.4', mustBe),
  hostport_not_443: row(7116, 400, '10.5', mustBe),
  addr_not_reserved: row(7113, 400, '10.4', (p: Hostport) =>
    `"${p.field}" must contain reserved addresses, got ${p.hostport}. Reserve an address with POST /reserved_addrs, and use the returned one. ${ANY_HOSTPORT}`),
  domain_not_reserved: row(7117, 400, '10.5', (p: Hostport) =>
    `"${p.field}" must contain reserved domains, got ${p.hostport}. Reserve it with POST /reserved_domains. ${ANY_HOSTPORT}`),
  domain_of_tcp_edge: row(7120, 400, '10.4', (p: Hostport) =>
    `"${p.field}" of a TCP edge must contain reserved addresses, got the reserved domain ${p.hostport}. Reserve an address with POST /reserved_addrs. ${ANY_HOSTPORT}`),
  addr_of_https_edge: row(7121, 400, '10.5', addrInstead),
  addr_of_tls_edge: row(7133, 400, '10.23', addrInstead),
  hostport_taken: row(7122, 400, '10.4', (p: { field: string; value: string; existing: string }) =>
    `"${p.field}" must be unique, but the edge ${p.existing} already has ${p.value}. Remove it from ${p.existing} first.`),
  no_match: row(7123, 400, '10.6', mustBe),
  bad_match_type: row(7130, 400, '10.6', mustBe),
  bad_match: row(7131, 400, '10.6', mustBe),
  match_too_long: row(7135, 400, '10.6', mayHave),
  too_many_headers: row(7015, 400, '4.4', mayHave),
  header_name: row(7023, 400, '4.4', mustName),
  header_value: row(7024, 400, '4.4', mustBe),
  header_twice: row(7069, 400, '4.4', mustName),
  header_name_too_long: row(7105, 400, '4.4', (p: { field: string; expected: string; received: string }) =>
    `A header name in "${p.field}" can have ${p.expected}, got ${p.received}.`),
  header_value_too_long: row(7106, 400, '4.4', (p: { field: string; expected: string; received: string }) =>
    `A header value in "${p.field}" can have ${p.expected}, got ${p.received}.`),
  host_removed: row(7164, 400, '4.4', (p: { field: string }) =>
    `"${p.field}" can contain Host only if a new Host is added, because every request needs one. Add a Host, or do not remove it.`),
  bad_user_agent: row(2090, 400, '10.9', mustBe),
  edge_refused: unnumbered(403, '4.2', (p: { edge: string; source_ip: string; why: string }) =>
    `The edge ${p.edge} blocks ${p.source_ip}. ${p.why}`),
  edge_no_route: unnumbered(404, '10.6', (p: { edge: string; path: string }) =>
    `No route of the edge ${p.edge} matches the path ${p.path}. Add one with POST /edges/https/${p.edge}/routes.`),
  upstream_unreachable: unnumbered(502, '10.7', (p: { edge: string; upstream: string; why: string }) =>
    `The edge ${p.edge} cannot reach its upstream ${p.upstream}: ${sentence(p.why)}`),
  upstream_bad_answer: unnumbered(502, '10.7', (p: { edge: string; upstream: string; why: string }) =>
    `The edge ${p.edge} cannot forward the response of its upstream ${p.upstream}: ${sentence(p.why)}`),
  tunnel_group_empty: ofEdge(6515, 502, '10.25', (p: { edge: string; why: string }) =>
    `The edge ${p.edge} cannot forward the request: ${p.why}. Add a tunnel with these labels to the fixture, or create one with POST /_sim/db/tunnels.`),
  user_agent_refused: ofEdge(3211, 403, '10.9', (p: { edge: string; why: string }) =>
    `The edge ${p.edge} blocks this user agent. ${p.why}`),
  webhook_unverified: ofEdge(3204, 403, '10.9', (p: { edge: string; why: string }) =>
    `The edge ${p.edge} only forwards signed webhooks. ${p.why}`),
  circuit_open: ofEdge(3202, 503, '10.9', (p: { edge: string; why: string }) =>
    `The edge ${p.edge} currently sends no requests to its upstream: ${sentence(p.why)}`),
})

/** The errors of the API, and those of the server and the engine, whose codes are in codes.ts. */
export const errors = { ...serverErrors, ...own }
