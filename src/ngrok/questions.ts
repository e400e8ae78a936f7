import { documented, implied, recorded } from '../contract/evidence.ts'
import { type Assumption, defineQuestions } from '../engine/question.ts'
import { questions as general } from '../engine/questions.ts'
import type { Assumed } from './assumed.ts'

/** Undocumented behaviour of the API, and what edgesim assumes. */
export const assumptions = {
  missing_version: {
    section: '9',
    question: 'What if the version header is missing?',
    values: ['reject', 'accept'],
    why: 'The API reference requires it.',
    evidence: [documented('reject', 'ngrok error 218 (status 400).')],
  },
  wrong_version: {
    section: '9',
    question: 'What if the version is not 2?',
    values: ['reject', 'accept'],
    why: 'Clients of other versions could misread version 2 responses.',
    evidence: [documented('reject', 'ngrok error 217.')],
  },
  unknown_field: {
    section: '4',
    question: 'What if a body has an unknown field?',
    values: general.unknown_field.values,
    why: 'Ignored typos are hard to find.',
    evidence: [documented('reject', 'ngrok error 214.')],
  },
  unknown_query: {
    section: '4',
    question: 'What if a query parameter is unknown?',
    values: general.unknown_query.values,
    why: 'Proxies and clients add their own parameters.',
    evidence: [documented('reject', 'ngrok error 231.')],
  },
  unknown_reference: {
    section: '4.2',
    question: 'What if an IP policy in a list does not exist?',
    values: general.unknown_reference.values,
    why: 'A reference to a missing policy is likely a mistake.',
    evidence: [documented('reject', 'ngrok errors 1801 and 7007.')],
  },
  absent_module: {
    section: '4.3',
    question: 'What does GET return for an unset module?',
    values: general.absent_module.values,
    why: 'There is nothing to return.',
  },
  delete_absent_module: {
    section: '4.3',
    question: 'What does DELETE return for an unset module?',
    values: general.delete_absent_module.values,
    why: 'Controllers delete on every pass and expect success.',
    evidence: [implied('succeed', "ngrok's Kubernetes operator deletes unset modules on every pass.")],
  },
  restriction_without_policies: {
    section: '4.2',
    question: 'Can an IP restriction be created without IP policies?',
    values: ['accept', 'reject'],
    why: 'No field is required, and clients omit empty lists.',
    evidence: [documented('reject', 'ngrok error 1804, and its OpenAPI requires ip_policy_ids.')],
  },
  restrictions_per_type: {
    section: '4.2',
    question: 'How many IP restrictions can share a type?',
    values: ['many', 'one'],
    why: 'The API reference sets no limit.',
    evidence: [documented('one', 'ngrok error 1802.')],
  },
  empty_policy_list_on_update: {
    section: '4.2',
    question: 'What does an empty IP policy list do in an update?',
    values: ['clear', 'keep', 'reject'],
    why: 'It means no policies, although some clients always send it.',
    evidence: [
      implied('keep', "ngrok's Python and Ruby SDKs send it by default and expect success."),
      documented('reject', 'ngrok error 1804.'),
    ],
  },
  other_owners_keys: {
    section: '4.1',
    question: "Can non-admins read and change other owners' keys?",
    values: general.other_owners_keys.values,
    why: 'The API reference lists all keys and describes no permissions.',
  },
  page_order: {
    section: '4',
    question: 'How are lists sorted?',
    values: general.page_order.values,
    why: 'Clients page back in time with before_id.',
    evidence: [documented('newest_first', "ngrok's pages on lists: newest to oldest.")],
  },
  no_policies_attached: {
    section: '4.2',
    question: 'What does an active restriction or module without IP policies do?',
    values: ['pass', 'refuse'],
    why: 'Nothing is configured to be blocked.',
  },
  add_existing_header: {
    section: '4.4',
    question: 'What if an added header already exists?',
    values: ['append', 'replace'],
    why: 'To replace a header, also list it in remove.',
    evidence: [documented('append', 'A removed ngrok page: the value is appended.')],
  },
  required_fields: {
    section: '4.2',
    question: 'Which fields does a new IP restriction require?',
    values: ['type'],
    why: 'enforced defaults to false, ip_policy_ids to an empty list.',
    evidence: [documented(undefined, "ngrok's OpenAPI requires type and ip_policy_ids.")],
  },
  error_shape: {
    section: '7',
    question: 'What does an error body contain?',
    values: ['error_code, status_code, msg, details'],
    why: 'Public clients read these fields.',
    evidence: [documented(undefined, "ngrok's pages show it."), implied(undefined, "ngrok's SDKs read it.")],
  },
  not_found_code: {
    section: '7',
    question: 'Which error_code does an unknown ID return?',
    values: general.not_found_code.values,
    why: 'Kinds with a documented error return it. `ours` is ERR_EDGESIM_404.',
    evidence: [
      recorded('none', 'ngrok returns 404 without error_code.'),
      implied('none', "ngrok's SDKs check only the status."),
    ],
  },
  page_size: {
    section: '4',
    question: 'How does paging work?',
    values: ['limit 1 to 100 (100), before_id'],
    why: 'Public clients send these parameters.',
    evidence: [documented(undefined, "ngrok's pages on lists name limit, before_id and 100.")],
  },
  header_rules: {
    section: '4.4',
    question: 'Which headers can be added and removed?',
    values: ['RFC 9110 names up to 256 bytes, printable values up to 4096, no connection headers'],
    why: 'Others cannot be forwarded unchanged.',
    evidence: [documented(undefined, 'ngrok errors 7023, 7024, 7105 and 7106 name no byte limits.')],
  },
  wrong_method: {
    section: '4',
    question: 'What does an unsupported method return?',
    values: ['405 with Allow, also for HEAD and OPTIONS'],
    why: 'The API reference lists every method.',
  },
  unset_text: {
    section: '2',
    question: 'How are unset descriptions and metadata returned?',
    values: general.unset_text.values,
    why: 'The API reference omits them in IP restrictions.',
    evidence: [
      recorded('omit', 'Published responses omit them: 35 API keys, 105 policies, 175 rules, 105 restrictions.'),
      implied('empty', "ngrok's SDK tests have empty strings, and the Python SDK requires both fields."),
    ],
  },
  module_without_policies: {
    section: '4.3',
    question: 'Can an IP restriction module be set without IP policies?',
    values: ['accept', 'reject'],
    why: 'No field is required, and clients omit empty lists.',
    evidence: [documented('reject', 'ngrok error 7025, although its OpenAPI does not require ip_policy_ids.')],
  },
  neighbours: {
    section: '10',
    question: 'Are IP policies, backends, edges and routes served?',
    values: ['serve', 'absent'],
    why: 'The API reference only mentions them, but clients create them.',
    evidence: [
      documented('serve', "ngrok's OpenAPI describes them."),
      recorded('serve', "ngrok's published examples use them."),
    ],
  },
  delete_referenced: {
    section: '10',
    question: 'What if a deleted record is still referenced?',
    values: general.delete_referenced.values,
    why: 'Only IP policies that no restriction uses can be deleted while referenced.',
    evidence: [
      documented(
        'documented',
        'ngrok error 1420 for policies in restrictions. Its OpenAPI: in edges and modules, a deleted policy has no rules.',
      ),
    ],
  },
  list_filter: {
    section: '10.8',
    question: 'What does the filter query parameter do?',
    values: ['documented', 'ignore', 'reject'],
    why: 'Clients that send it rely on it.',
    evidence: [
      documented(
        'documented',
        "ngrok's page on filters names the CEL subset, lists and fields. Its OpenAPI lacks the parameter in places.",
      ),
      implied('documented', "ngrok's Go SDK sends it."),
    ],
  },
  backends_on_update: {
    section: '10.25',
    question: 'What does an update without backends do to a failover or weighted backend?',
    values: ['clear', 'keep'],
    why: 'Published responses show it, although updates preserve other omitted lists.',
    evidence: [recorded('clear', 'Published updates set only metadata, and the responses have no backends.')],
  },
  backend_limits: {
    section: '10.25',
    question: 'Which limits and statuses apply to backends?',
    values: [
      '100 backends, 100 labels of 1 to 255 bytes, a body of 32768 bytes, header names of 256 and values of 4096; 200 to 599',
    ],
    why: 'ngrok publishes no numbers, and statuses below 200 are not final.',
    evidence: [
      documented(
        undefined,
        'ngrok errors 6508 to 6511, 6513, 6516, 6522 and 6523 name no limits. Error 6517 rejects invalid statuses.',
      ),
    ],
  },
  backend_nesting: {
    section: '10.25',
    question: 'Which backends can contain which?',
    values: ['weighted: static, HTTP response, tunnel group; failover: these and weighted'],
    why: 'No backend can contain itself, and ngrok has no error for that.',
    evidence: [
      documented(undefined, 'ngrok errors 6524 and 6525 name no kinds.'),
      recorded(undefined, 'Published responses have HTTP response backends in both.'),
    ],
  },
  header_limits: {
    section: '4.4',
    question: 'How many headers can a route change?',
    values: ['documented', 'wide'],
    why: 'ngrok allows 5 and 5, rejects User-Agent and lowercases added names. `wide` allows 100 and 100, unchanged. Both remove Host only with a replacement.',
    evidence: [documented('documented', 'A removed ngrok page, and errors 7015 and 7164.')],
  },
  empty_update: {
    section: '10',
    question: 'What does an empty update of an IP policy, rule or credential return?',
    values: general.empty_update.values,
    why: "Clients should see ngrok's error here first.",
    evidence: [documented('documented', 'ngrok errors 606, 1400 and 1401. API keys and restrictions have none.')],
  },
  empty_text_on_update: {
    section: '4',
    question: 'What if an update empties a field that requires a value?',
    values: general.empty_text_on_update.values,
    why: 'Clients send it for unset fields.',
    evidence: [implied('keep', "ngrok's Python and Ruby SDKs send it for unset backend addresses and route fields.")],
  },
  match_length: {
    section: '10.6',
    question: 'How long can a route match be?',
    values: ['4096 bytes'],
    why: 'ngrok publishes no number.',
    evidence: [documented(undefined, 'ngrok error 7135 names no limit.')],
  },
  user_agents: {
    section: '10.9',
    question: 'Which requests does a user agent filter allow?',
    values: ['those that match allow, or have a User-Agent that does not match deny'],
    why: 'So allow lists exceptions to deny.',
    evidence: [documented(undefined, 'A removed ngrok page, which also names RE2.')],
  },
  circuit: {
    section: '10.9',
    question: 'When does a circuit breaker open and close?',
    values: ['at the thresholds; one request tries'],
    why: 'ngrok names the Hystrix library, which retries with one request.',
    evidence: [
      documented(
        undefined,
        "A removed ngrok page counted statuses from 500 and allowed a few test requests. In its successor's example, a threshold of 0 opens after one success.",
      ),
    ],
  },
  compressed_answers: {
    section: '10.9',
    question: 'What does the compression module compress?',
    values: ['all types, with gzip or deflate'],
    why: 'ngrok names no types, and its example compresses 39 bytes.',
    evidence: [documented(undefined, 'A removed ngrok page named both codings, and br as unsupported.')],
  },
  webhook_providers: {
    section: '10.9',
    question: 'Which webhook providers are verified?',
    values: ['github'],
    why: "GitHub's signatures are public and typical.",
    evidence: [documented(undefined, 'A removed ngrok page named about 60 providers.')],
  },
  name_length: {
    section: '10.10',
    question: 'How long can bot user, service user, vault and secret names be?',
    values: ['255 bytes'],
    why: 'ngrok publishes no numbers.',
    evidence: [documented(undefined, 'ngrok errors 4110, 23002 and 24002 name no limits.')],
  },
  vault_names: {
    section: '10.17',
    question: 'Which characters can vault and secret names contain?',
    values: ['A-Z a-z 0-9 _ / . -'],
    why: "ngrok's errors omit the hyphen, which published names contain.",
    evidence: [
      recorded(undefined, 'Published names contain a hyphen.'),
      documented(undefined, 'ngrok errors 23000 and 24000 allow letters, digits and _ / .'),
    ],
  },
  secret_vault_name: {
    section: '10.17',
    question: 'Do secret responses contain the vault name?',
    values: ['shown', 'absent'],
    why: 'The OpenAPI is newer than the published responses.',
    evidence: [
      documented('shown', "ngrok's OpenAPI of June 2026 has vault_name."),
      recorded('absent', 'Older published responses omit it.'),
    ],
  },
  secret_length: {
    section: '10.17',
    question: 'How long can a secret value be?',
    values: ['32768 bytes'],
    why: 'ngrok publishes no number.',
    evidence: [documented(undefined, 'ngrok error 24004 names no limit.')],
  },
  certificate_provisioning: {
    section: '10.12',
    question: 'What happens to managed certificates?',
    values: ['succeeds', 'fails'],
    why: 'Clients wait for success. `fails` returns DNS_ERROR and retries hourly.',
    evidence: [documented(undefined, "ngrok's pages name the status fields and DNS_ERROR, but no duration.")],
  },
  operator_ingress: {
    section: '10.19',
    question: 'When does a Kubernetes operator with bindings get an ingress endpoint?',
    values: ['3 s after it was created'],
    why: 'It appears later, and ngrok publishes no delay.',
    evidence: [
      recorded(undefined, 'Published create and get responses have none, but a later update does.'),
      implied(undefined, "ngrok's Kubernetes operator polls for it."),
    ],
  },
  ai_gateway_keys: {
    section: '10.26',
    question: 'What do AI gateway API keys look like?',
    values: ['aigk_ ids, tokens like those of API keys, the beginning of the token as display_name, last_used null'],
    why: 'Public clients show no values, and edgesim traffic does not use them.',
    evidence: [implied(undefined, "ngrok's Go SDK 8 names the fields and paths.")],
  },
  ingress_names: {
    section: '10.20',
    question: 'Which names does an agent ingress get?',
    values: ['4 name servers, 1 region'],
    why: 'Published responses show these. Fixtures can set others.',
    evidence: [
      recorded(undefined, 'Published responses have four numbered name servers, and tunnel.us. before the domain.'),
      documented(undefined, "ngrok's OpenAPI: the list of regions can grow."),
    ],
  },
  abuse_review: {
    section: '10.21',
    question: 'What happens to an abuse report?',
    values: ['stays pending'],
    why: 'People review reports. Set the result with the control API.',
    evidence: [documented(undefined, "ngrok's OpenAPI names the statuses, but no timing.")],
  },
  application_ids: {
    section: '10.22',
    question: 'Which prefixes do application user and session IDs have?',
    values: ['appusr_, appsess_'],
    why: 'No public source shows one.',
  },
  endpoint_domain: {
    section: '10.15',
    question: 'What if no reserved domain covers a public endpoint?',
    values: ['reject', 'reserve'],
    why: "Clients should see ngrok's error here first.",
    evidence: [documented('reject', 'ngrok error 18006.')],
  },
  ssh_authority_keys: {
    section: '10.24',
    question: "Where does an SSH authority's private key come from?",
    values: ['it follows from the id'],
    why: 'edgesim stores no secret. The ID reveals the key, so trust these authorities only on test machines.',
  },
  ssh_key_defaults: {
    section: '10.24',
    question: 'Which key does an SSH authority get by default?',
    values: ['ed25519; of ecdsa, p256; of rsa, 2048 bits'],
    why: 'The published request uses ed25519. The others are the smallest.',
    evidence: [documented(undefined, "ngrok's OpenAPI names the types and RSA sizes, but no defaults.")],
  },
  ssh_curves: {
    section: '10.24',
    question: 'Which elliptic curves can an SSH authority use?',
    values: ['p256, p384, p521'],
    why: 'OpenSSH supports these.',
    evidence: [documented(undefined, 'ngrok error 1941 names no curves.')],
  },
  ssh_validity: {
    section: '10.24',
    question: 'When does default SSH certificate validity start?',
    values: ['valid_after'],
    why: 'Counted from now, a later certificate could end before it starts.',
    evidence: [documented(undefined, "ngrok's OpenAPI: one year for hosts, 24 hours for users.")],
  },
  ssh_empty_extensions: {
    section: '10.24',
    question: 'What does an empty SSH extensions object mean?',
    values: ['permit-pty, permit-user-rc'],
    why: 'Clients send it for unset extensions.',
    evidence: [implied(undefined, "ngrok's Python and Ruby SDKs send it, and its OpenAPI promises these two.")],
  },
  ssh_error_numbers: {
    section: '10.24',
    question: 'Which duplicate errors are for SSH host and user certificates?',
    values: ['hosts: 1945, 1946, 1949; users: 1947, 1948, 1951'],
    why: 'ngrok names hosts first elsewhere.',
    evidence: [documented(undefined, 'ngrok lists them with identical messages.')],
  },
  rate_limit: {
    section: '8',
    question: 'Is there a rate limit?',
    values: ['none', 'documented'],
    why: 'Test suites should wait only if configured.',
    evidence: [
      documented('documented', 'ngrok allows 120 requests per rolling 60 seconds, then returns 429 (error 226).'),
    ],
  },
  module_limits: {
    section: '10.9',
    question: 'Which limits apply to edge and route modules?',
    values: [
      '100 policies or entries of a list, entries, ids and cookie prefixes of 255 bytes, secrets of 4096, SAML metadata of 32768, durations of a year',
    ],
    why: 'ngrok publishes few numbers.',
    evidence: [
      documented(
        undefined,
        'ngrok errors for lists (7013, 7056 to 7061, 7150), strings (7080, 7087, 7136 to 7154) and durations (7092, 7158, 7161, 7162). They name one year for inactivity timeouts and 255 bytes for an endpoint configuration issuer (1687).',
      ),
    ],
  },
  edge_hostports: {
    section: '10.4',
    question: 'Which non-local hostports can an edge have?',
    values: ['any', 'reserved'],
    why: 'edgesim only stores them.',
    evidence: [
      documented(
        'reserved',
        'ngrok errors 7113 and 7117 (not reserved), and 7120, 7121 and 7133 (wrong kind of edge).',
      ),
    ],
  },
  tls_edge_without_termination: {
    section: '10.9',
    question: 'Where does TLS end on a TLS edge without TLS termination module?',
    values: ['upstream'],
    why: 'An unconfigured edge forwards traffic unchanged.',
    evidence: [
      documented('upstream', "ngrok's pages on TLS endpoints: by default, TLS ends at the upstream."),
      documented(undefined, 'An older page: TLS edges end TLS, without a module.'),
    ],
  },
  edges: {
    section: '10',
    question: 'Are edges, routes and modules available?',
    values: ['available', 'read_only', 'gone'],
    why: 'The API reference describes edge modules. The statuses 403 (7196) and 410 (7008) are assumed.',
    evidence: [
      documented('gone', 'ngrok retired edges at the end of 2025 (7008).'),
      documented('read_only', 'Some accounts could still read them for a while (7196).'),
    ],
  },
} as const satisfies Record<string, Assumption>

/** Presets by vendor: `--assume NAME` changes several to what public sources specify. Single assumptions override a preset. */
export const assumptionSets = {
  ngrok: {
    unknown_query: 'reject',
    restriction_without_policies: 'reject',
    module_without_policies: 'reject',
    restrictions_per_type: 'one',
    empty_policy_list_on_update: 'keep',
    edge_hostports: 'reserved',
  },
} as const satisfies Record<string, Assumed>

/** As the functions of src/engine/assumptions.ts read them. */
export const ngrokAssumptions = { assumptions, presets: assumptionSets }

/** For code that asks: `call.assume(questions.page_order)`. */
export const questions = defineQuestions(assumptions)
