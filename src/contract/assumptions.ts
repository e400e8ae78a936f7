import { isObject } from '../basics/json.ts'
import {
  documented,
  type Evidence,
  evidenceOf,
  implied,
  type Probed,
  recorded,
  sourcesDiffer,
  type Verdict,
} from './evidence.ts'
import type { Lenient } from './lenient.ts'

/**
 * A question that the API's document leaves open, and our answer. Where another answer makes sense, `--assume NAME=VALUE`
 * or a scenario selects it.
 */
export interface Assumption {
  /** The section of docs/api.md that describes it. */
  section: string
  question: string
  /** The first is ours. There are no others where none makes sense. */
  values: readonly string[]
  /** Why the first. */
  why: string
  /** What public sources of a vendor say about it, the weightiest first. Sources that disagree are all listed. */
  evidence?: readonly Evidence[]
}

export const assumptions = {
  missing_version: {
    section: '9',
    question: 'What is the answer to a request without the version header?',
    values: ['reject', 'accept'],
    why: 'The document says that every request carries it, so a client that forgets it should fail here first.',
    evidence: [documented('reject', 'ngrok has an error for a request without the version header (218, status 400).')],
  },
  wrong_version: {
    section: '9',
    question: 'What is the answer to a version other than 2?',
    values: ['reject', 'accept'],
    why: 'Answers in the shape of version 2 could mislead a client that asked for another.',
    evidence: [documented('reject', 'ngrok has an error for a version that it does not support (217).')],
  },
  unknown_field: {
    section: '4',
    question: 'What happens to an unknown field in a body?',
    values: ['reject', 'ignore'],
    why: 'A misspelt field that is dropped in silence is hard to find.',
    evidence: [documented('reject', 'ngrok has an error for an unknown field (214).')],
  },
  unknown_query: {
    section: '4',
    question: 'What happens to an unknown query parameter?',
    values: ['ignore', 'reject'],
    why: 'Proxies and clients add parameters of their own.',
    evidence: [documented('reject', 'ngrok has an error for an unknown query parameter (231).')],
  },
  unknown_reference: {
    section: '4.2',
    question: 'May a list of IP policies name one that does not exist?',
    values: ['reject', 'accept'],
    why: 'A restriction that points nowhere does not do what its author meant.',
    evidence: [documented('reject', 'ngrok has errors for policies that do not exist (1801, 7007).')],
  },
  absent_module: {
    section: '4.3',
    question: 'What does GET answer for a module that is not set?',
    values: ['not_found', 'defaults'],
    why: 'There is no module to return.',
  },
  delete_absent_module: {
    section: '4.3',
    question: 'What does DELETE answer for a module that is not set?',
    values: ['succeed', 'not_found'],
    why: 'Controllers delete on every pass and expect success.',
    evidence: [implied('succeed', "ngrok's Kubernetes operator deletes modules that were never set, on every pass.")],
  },
  restriction_without_policies: {
    section: '4.2',
    question: 'May an IP restriction be created without IP policies?',
    values: ['accept', 'reject'],
    why: 'The document requires no field, and clients omit empty lists.',
    evidence: [
      documented('reject', "ngrok's OpenAPI requires ip_policy_ids on create, and there is an error for none (1804)."),
    ],
  },
  restrictions_per_type: {
    section: '4.2',
    question: 'How many IP restrictions may have the same type?',
    values: ['many', 'one'],
    why: 'The document gives no limit.',
    evidence: [documented('one', 'ngrok has an error for a second restriction of a type (1802).')],
  },
  empty_policy_list_on_update: {
    section: '4.2',
    question: 'What does an empty list of IP policies in an update do?',
    values: ['clear', 'keep', 'reject'],
    why: 'It is what the request says, although some clients always send the list.',
    evidence: [
      implied(
        'keep',
        "ngrok's Python and Ruby SDKs send an empty list with every update that names none, and expect success.",
      ),
      documented('reject', 'ngrok has an error for a restriction without policies (1804).'),
    ],
  },
  other_owners_keys: {
    section: '4.1',
    question: 'May a caller who is not an admin read and change the keys of other owners?',
    values: ['allow', 'forbid'],
    why: 'The document says that a list has all keys of the account, and describes no permissions.',
  },
  page_order: {
    section: '4',
    question: 'In which order are lists?',
    values: ['newest_first', 'oldest_first'],
    why: 'Clients continue with before_id, which goes back in time.',
    evidence: [documented('newest_first', "ngrok's pages on lists say: from the newest to the oldest.")],
  },
  no_policies_attached: {
    section: '4.2',
    question: 'What does an enforced restriction, or an enabled module, do when it has no IP policies?',
    values: ['pass', 'refuse'],
    why: 'Nothing is configured to be refused.',
  },
  add_existing_header: {
    section: '4.4',
    question: 'What happens when a request, or an answer, already has a header that is to be added?',
    values: ['append', 'replace'],
    why: 'To add is not to replace; name the header in remove as well to replace it.',
    evidence: [documented('append', 'A page of ngrok that is gone by now said that a value is appended.')],
  },
  required_fields: {
    section: '4.2',
    question: 'Which fields are required to create an IP restriction?',
    values: ['type'],
    why: 'A restriction without a type restricts nothing; enforced defaults to false, ip_policy_ids to an empty list.',
    evidence: [
      documented(
        undefined,
        "ngrok's OpenAPI requires type and ip_policy_ids; of the latter, see restriction_without_policies.",
      ),
    ],
  },
  error_shape: {
    section: '7',
    question: 'What is the body of an error?',
    values: ['error_code, status_code, msg, details'],
    why: 'It is what public clients read.',
    evidence: [documented(undefined, "ngrok's pages show it."), implied(undefined, 'Its SDKs read it.')],
  },
  not_found_code: {
    section: '7',
    question: 'Which error_code has the answer about an unknown id, where no error is documented for that kind?',
    values: ['none', 'ours'],
    why: 'Published answers have none, and SDKs expect that. `ours` is ERR_EDGESIM_404.',
    evidence: [
      recorded('none', 'ngrok answers a GET of an id that does not exist with 404 and no error_code.'),
      implied('none', 'Its SDKs tell by the status alone whether something is not there.'),
    ],
  },
  page_size: {
    section: '4',
    question: 'How long is a page, and how is the next page requested?',
    values: ['limit 1 to 100 (100), before_id'],
    why: 'It is what public clients send.',
    evidence: [documented(undefined, "ngrok's pages on lists give limit, before_id and 100.")],
  },
  header_rules: {
    section: '4.4',
    question: 'Which headers may be added and removed?',
    values: ['RFC 9110 names up to 256 bytes, printable values up to 4096, no connection headers'],
    why: 'Nothing else could be forwarded to the upstream unchanged.',
    evidence: [
      documented(
        undefined,
        'ngrok has errors for names and values that are not allowed or too long (7023, 7024, 7105, 7106), without the numbers of bytes.',
      ),
    ],
  },
  wrong_method: {
    section: '4',
    question: 'What is the answer to a method that the path does not support?',
    values: ['405 with Allow, also for HEAD and OPTIONS'],
    why: 'The document lists every method.',
  },
  unset_text: {
    section: '2',
    question: 'How are a description and metadata that are not set shown?',
    values: ['omit', 'empty'],
    why: 'The document omits them in IP restrictions; for the others it is silent.',
    evidence: [
      recorded(
        'omit',
        "Unset texts are absent in ngrok's published answers: 35 of API keys, 105 of policies, 175 of rules, 105 of restrictions; none has an empty text.",
      ),
      implied(
        'empty',
        "ngrok's SDKs have an empty text in their own tests; the Python one reads both without asking whether they are there.",
      ),
    ],
  },
  module_without_policies: {
    section: '4.3',
    question: 'May an IP restriction module be set without IP policies?',
    values: ['accept', 'reject'],
    why: 'The document requires no field, and clients omit empty lists.',
    evidence: [
      documented(
        'reject',
        'ngrok has an error for a module without policies (7025). Its OpenAPI does not require ip_policy_ids here.',
      ),
    ],
  },
  neighbours: {
    section: '10',
    question: 'Are IP policies, backends, edges and routes served, which the document only refers to?',
    values: ['serve', 'absent'],
    why: 'Clients create what they refer to.',
    evidence: [
      documented('serve', "ngrok's OpenAPI has them."),
      recorded('serve', "ngrok's published requests and answers have them."),
    ],
  },
  delete_referenced: {
    section: '10',
    question: 'What happens when something is deleted that others refer to?',
    values: ['documented', 'reject', 'detach'],
    why: 'An IP policy that restrictions use is kept; one that only modules use goes. Other records are kept while they are used: what refers to nothing does not do what its author meant.',
    evidence: [
      documented(
        'documented',
        'ngrok has an error for a policy that restrictions use (1420). Its OpenAPI says that edges and modules which use a deleted policy behave as if it had no rules.',
      ),
    ],
  },
  list_filter: {
    section: '10.8',
    question: 'What does the query parameter filter do?',
    values: ['documented', 'ignore', 'reject'],
    why: 'Clients that send it rely on it.',
    evidence: [
      documented(
        'documented',
        "ngrok's page on filters names the part of CEL, the lists and their fields. Its OpenAPI does not have the parameter everywhere.",
      ),
      implied('documented', "ngrok's Go SDK sends it."),
    ],
  },
  backends_on_update: {
    section: '10.25',
    question: 'What does an update of a failover or weighted backend do that does not give its backends?',
    values: ['clear', 'keep'],
    why: 'It is what the service was seen to do, though no other list is emptied by an update that does not give it.',
    evidence: [recorded('clear', 'Updates that ngrok published give only metadata, and the answers have no backends.')],
  },
  backend_limits: {
    section: '10.25',
    question: 'How much may a backend have, and which statuses may it answer with?',
    values: [
      '100 backends, 100 labels of 1 to 255 bytes, a body of 32768 bytes, header names of 256 and values of 4096; 200 to 599',
    ],
    why: 'There are limits, and their numbers are not known. A status below 200 is no answer.',
    evidence: [
      documented(
        undefined,
        'ngrok has errors for what is too long or too many (6508, 6509, 6510, 6511, 6513, 6516, 6522, 6523), without the numbers, and for a status that is none (6517).',
      ),
    ],
  },
  backend_nesting: {
    section: '10.25',
    question: 'Which backends may be inside which?',
    values: ['weighted: static, HTTP response, tunnel group; failover: these and weighted'],
    why: 'So no backend can contain itself, and ngrok has no error for one that does.',
    evidence: [
      documented(
        undefined,
        'ngrok has errors for a kind that may not be inside another (6524, 6525), without the kinds.',
      ),
      recorded(undefined, "ngrok's published answers have HTTP response backends inside both."),
    ],
  },
  header_limits: {
    section: '4.4',
    question: 'How many headers may a route add and remove, and which are special?',
    values: ['documented', 'wide'],
    why: 'It is what the service allows: 5 and 5, User-Agent untouched, added names in lower case upstream. Wide is 100 and 100, any name, as it was given. Host is removed only with a replacement in both.',
    evidence: [
      documented('documented', 'A page of ngrok that is gone by now said so; the errors are still there (7015, 7164).'),
    ],
  },
  empty_update: {
    section: '10',
    question: 'What is the answer to an update of an IP policy, a rule or a credential that gives no value?',
    values: ['documented', 'accept'],
    why: 'It is an error there, and clients should meet it here first.',
    evidence: [
      documented(
        'documented',
        'ngrok has errors for an update without values (606, 1400, 1401); for API keys and restrictions it names none.',
      ),
    ],
  },
  empty_text_on_update: {
    section: '4',
    question: 'What does an empty text do in an update, for a field that cannot be empty?',
    values: ['keep', 'reject'],
    why: 'Clients send it for fields that they were not given.',
    evidence: [
      implied(
        'keep',
        "ngrok's Python and Ruby SDKs send an empty address of a backend, and empty texts of a route, if they were not given.",
      ),
    ],
  },
  match_length: {
    section: '10.6',
    question: 'How long may the match of a route be?',
    values: ['4096 bytes'],
    why: 'There is a limit, and its number is not known.',
    evidence: [documented(undefined, 'ngrok has an error for a match that is too long (7135), without the number.')],
  },
  user_agents: {
    section: '10.9',
    question: 'Which requests does a user agent filter let pass?',
    values: ['those that match allow, or have a User-Agent that does not match deny'],
    why: 'So allow makes exceptions from deny, and alone keeps nobody out who has a User-Agent.',
    evidence: [
      documented(undefined, 'A page of ngrok that is gone by now said so, also that the patterns are those of RE2.'),
    ],
  },
  circuit: {
    section: '10.9',
    question: 'When does a circuit breaker open, and how does it close again?',
    values: ['at the thresholds; one request tries'],
    why: 'The page names the Hystrix library, which lets one request try when the time is over.',
    evidence: [
      documented(
        undefined,
        'A page of ngrok that is gone by now named statuses from 500 on as errors, and a small set of requests that may try. In the example of its successor a threshold of 0 opens it after one good answer.',
      ),
    ],
  },
  compressed_answers: {
    section: '10.9',
    question: 'Which answers does the compression module compress, and how?',
    values: ['all types, with gzip or deflate'],
    why: 'The page names no types, and an example compresses 39 bytes.',
    evidence: [
      documented(undefined, 'A page of ngrok that is gone by now named the two codings, and br as not supported.'),
    ],
  },
  webhook_providers: {
    section: '10.9',
    question: 'Of which providers are webhooks verified?',
    values: ['github'],
    why: 'Its way of signing is public and like that of many; to follow all of them would be a product of its own.',
    evidence: [documented(undefined, 'A page of ngrok that is gone by now named some 60 providers.')],
  },
  name_length: {
    section: '10.10',
    question: 'How long may the name of a bot user, a service user, a vault or a secret be?',
    values: ['255 bytes'],
    why: 'There are limits, and their numbers are not known.',
    evidence: [
      documented(undefined, 'ngrok has errors for names that are too long (4110, 23002, 24002), without the numbers.'),
    ],
  },
  vault_names: {
    section: '10.17',
    question: 'Which characters may the name of a vault or a secret have?',
    values: ['A-Z a-z 0-9 _ / . -'],
    why: 'Published requests have a hyphen, which the errors do not name.',
    evidence: [
      recorded(undefined, "ngrok's published requests and answers have names with a hyphen."),
      documented(undefined, "ngrok's errors for other characters (23000, 24000) allow letters, digits, _, / and ."),
    ],
  },
  secret_vault_name: {
    section: '10.17',
    question: 'Do answers with a secret have the name of its vault?',
    values: ['shown', 'absent'],
    why: 'The newest document has it; published answers are older.',
    evidence: [
      documented('shown', "ngrok's OpenAPI of June 2026 has vault_name in a secret."),
      recorded('absent', "ngrok's published answers, which are older, do not have it."),
    ],
  },
  secret_length: {
    section: '10.17',
    question: 'How long may the value of a secret be?',
    values: ['32768 bytes'],
    why: 'There is a limit, and its number is not known.',
    evidence: [documented(undefined, 'ngrok has an error for a value that is too long (24004), without the number.')],
  },
  certificate_provisioning: {
    section: '10.12',
    question: 'What comes of a certificate that the policy of a reserved domain or an agent ingress asks for?',
    values: ['succeeds', 'fails'],
    why: 'Clients wait for it. There is no DNS to look at, so a failure is asked for: as DNS_ERROR, and tried again each hour.',
    evidence: [
      documented(
        undefined,
        "ngrok's pages name the members of the status, and DNS_ERROR for what the user must correct; not how long it takes.",
      ),
    ],
  },
  operator_ingress: {
    section: '10.19',
    question: 'When does a Kubernetes operator with bindings have an ingress endpoint?',
    values: ['3 s after it was created'],
    why: 'It is not there at once, and how long it takes is not known.',
    evidence: [
      recorded(undefined, "ngrok's answers to create and get have none; the one to a later update has it."),
      implied(undefined, "ngrok's Kubernetes operator reads it until it is there."),
    ],
  },
  ai_gateway_keys: {
    section: '10.26',
    question: 'What do AI gateway API keys look like?',
    values: ['aigk_ ids, tokens like those of API keys, the beginning of the token as display_name, last_used null'],
    why: 'Public clients name the members, and nothing shows a value. No traffic uses such a key here.',
    evidence: [implied(undefined, "ngrok's Go SDK 8 has the members and the paths.")],
  },
  ingress_names: {
    section: '10.20',
    question: 'Which names does an agent ingress get?',
    values: ['4 name servers, 1 region'],
    why: 'It is what is published. How many regions there are is not; a fixture can have others.',
    evidence: [
      recorded(undefined, 'Published answers have four numbered name servers, and tunnel.us. before the domain.'),
      documented(undefined, "ngrok's OpenAPI says that the list of regions may grow."),
    ],
  },
  abuse_review: {
    section: '10.21',
    question: 'What becomes of an abuse report?',
    values: ['stays pending'],
    why: 'People decide about it, at a time of their own. The control plane can write what they decided.',
    evidence: [documented(undefined, "ngrok's OpenAPI names the statuses, and not when they change.")],
  },
  application_ids: {
    section: '10.22',
    question: 'What do the ids of application users and their sessions begin with?',
    values: ['appusr_, appsess_'],
    why: 'No public source shows one.',
  },
  endpoint_domain: {
    section: '10.15',
    question: 'What happens when no reserved domain covers the URL of a public endpoint?',
    values: ['reject', 'reserve'],
    why: 'A client that forgets to reserve it should fail here first.',
    evidence: [documented('reject', 'ngrok has an error for a URL without a reserved domain or address (18006).')],
  },
  ssh_authority_keys: {
    section: '10.24',
    question: 'Where is the private key of an SSH certificate authority?',
    values: ['it follows from the id'],
    why: 'Nothing secret has to be stored or exported, and the same requests get the same certificates. No machine but one for tests should trust such an authority: who knows its id has its key.',
  },
  ssh_key_defaults: {
    section: '10.24',
    question: 'Which key does an SSH certificate authority get, where the request does not say?',
    values: ['ed25519; of ecdsa, p256; of rsa, 2048 bits'],
    why: 'The published request asks for ed25519. Of the others, the smallest does.',
    evidence: [
      documented(undefined, "ngrok's OpenAPI names the types, and the sizes of RSA keys; not what is taken otherwise."),
    ],
  },
  ssh_curves: {
    section: '10.24',
    question: 'Which elliptic curves are there for SSH certificate authorities, and what are they called?',
    values: ['p256, p384, p521'],
    why: 'These are the curves of OpenSSH.',
    evidence: [documented(undefined, 'ngrok has an error for other curves (1941), without the names of those it has.')],
  },
  ssh_validity: {
    section: '10.24',
    question: 'From when on is an SSH certificate valid for a year or a day, if the request gives no end?',
    values: ['valid_after'],
    why: 'Counted from now on, a certificate for later could end before it begins.',
    evidence: [documented(undefined, "ngrok's OpenAPI: one year for hosts, 24 hours for users.")],
  },
  ssh_empty_extensions: {
    section: '10.24',
    question: 'Which extensions does an SSH user certificate get that is asked for with an empty object?',
    values: ['permit-pty, permit-user-rc'],
    why: 'The same as without one, because clients send it for what they were not given.',
    evidence: [
      implied(undefined, "ngrok's Python and Ruby SDKs send an empty object, and its OpenAPI promises these two then."),
    ],
  },
  ssh_error_numbers: {
    section: '10.24',
    question: 'Which of the errors that ngrok has twice are for host certificates, and which for user certificates?',
    values: ['hosts: 1945, 1946, 1949; users: 1947, 1948, 1951'],
    why: 'Hosts are named first elsewhere.',
    evidence: [documented(undefined, 'ngrok lists them with the same texts.')],
  },
  rate_limit: {
    section: '8',
    question: 'Is there a limit on requests?',
    values: ['none', 'documented'],
    why: 'A suite sends more than a person does, and should wait only if it asks to.',
    evidence: [
      documented(
        'documented',
        'ngrok allows 120 requests in a rolling window of 60 seconds, and answers 429 with error 226 beyond that.',
      ),
    ],
  },
  module_limits: {
    section: '10.9',
    question: 'How much may a module of an edge or a route hold?',
    values: [
      '100 policies or entries of a list, entries, ids and cookie prefixes of 255 bytes, secrets of 4096, SAML metadata of 32768, durations of a year',
    ],
    why: 'There are limits, and most of their numbers are not known.',
    evidence: [
      documented(
        undefined,
        'ngrok has errors for lists that are too long (7013, 7056 to 7061, 7150), for texts that are (7080, 7087, 7136 to 7154) and for long durations (7092, 7158, 7161, 7162). They name a year for an inactivity timeout, and 255 bytes for an issuer in an endpoint configuration (1687).',
      ),
    ],
  },
  edge_hostports: {
    section: '10.4',
    question: 'Which hostports may an edge have, other than addresses of this machine?',
    values: ['any', 'reserved'],
    why: 'They are only kept: nothing is reached by them here.',
    evidence: [
      documented(
        'reserved',
        'ngrok has errors for addresses and domains that are not reserved (7113, 7117), and for those of another kind of edge (7120, 7121, 7133).',
      ),
    ],
  },
  tls_edge_without_termination: {
    section: '10.9',
    question: 'Where does TLS end on a TLS edge without an enabled TLS termination module?',
    values: ['upstream'],
    why: 'An edge that nobody told to end TLS passes on what it gets.',
    evidence: [
      documented('upstream', "ngrok's pages on TLS endpoints say that by default TLS ends at the upstream."),
      documented(undefined, 'An older page on TLS edges says that they end TLS, and names no module for it.'),
    ],
  },
  edges: {
    section: '10',
    question: 'Are edges, their routes and modules still there?',
    values: ['available', 'read_only', 'gone'],
    why: 'The document describes modules of edges. The statuses of the refusals are ours: 403 for a write (7196), 410 for edges that are gone (7008).',
    evidence: [
      documented('gone', 'ngrok has retired edges at the end of 2025 (7008).'),
      documented('read_only', 'Some accounts could still read them for a while (7196).'),
    ],
  },
} as const satisfies Record<string, Assumption>

/** Sets by vendor: `--assume NAME` changes several to what public sources say. Single assumptions override a set. */
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

export type AssumptionSet = keyof typeof assumptionSets
const isAssumptionSet = (name: string): name is AssumptionSet => Object.hasOwn(assumptionSets, name)

export type AssumptionName = keyof typeof assumptions
const allNames = Object.keys(assumptions) as AssumptionName[]
/** The assumptions that were changed; the others have their defaults. */
export type Assumed = { [N in AssumptionName]?: AssumptionValue<N> }
export type AssumptionValue<N extends AssumptionName> = (typeof assumptions)[N]['values'][number]

/** How assumptions can be given: an object by name, the name of a set, or a list of sets and of NAME=VALUE. */
export type AssumedForm = Assumed | AssumptionSet | readonly string[]

/**
 * Assumptions by name, unchecked; undefined where no value is given. In any order, single ones override those that a probe
 * has found, and these override sets.
 */
export function expandAssumed(given: Lenient<AssumedForm>, found: Assumed = {}): Record<string, string | undefined> {
  if (isObject(given)) return { ...found, ...given }
  const words = wordsOf(given)
  const sets = words.filter(isAssumptionSet).map(name => assumptionSets[name])
  const pairs = words.filter(word => !isAssumptionSet(word)).map(splitPair)
  return Object.assign({}, ...sets, found, Object.fromEntries(pairs))
}

/** The words of a text or list. */
export const wordsOf = (given: string | readonly string[]) =>
  (typeof given === 'string' ? [given] : given).flatMap(text => text.split(',')).map(text => text.trim())

function splitPair(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

/** The names of assumptions and of sets. */
export const assumptionNames = () => [...allNames, ...Object.keys(assumptionSets)]

export const isAssumption = (name: string): name is AssumptionName => Object.hasOwn(assumptions, name)

/** The assumptions that have alternatives. */
export const changeable = () => allNames.filter(name => assumptions[name].values.length > 1)

export const valuesOf = (name: AssumptionName): string[] => [...assumptions[name].values]

export const defaultOf = <N extends AssumptionName>(name: N): AssumptionValue<N> => assumptions[name].values[0]

/** The properties of a JSON Schema for an object that changes assumptions. */
export const assumptionMembers = () =>
  Object.fromEntries(allNames.map(name => [name, { description: assumptions[name].question, enum: valuesOf(name) }]))

/** What a probe found out about an assumption, unless it is a value that this version does not have. */
export function verdictOn(name: AssumptionName, probed: Probed | undefined): Verdict | undefined {
  const verdict = probed && Object.hasOwn(probed.verdicts, name) ? probed.verdicts[name] : undefined
  return verdict && hasKnownValue(name, verdict) ? verdict : undefined
}

const hasKnownValue = (name: AssumptionName, verdict: Verdict) =>
  !('value' in verdict) || valuesOf(name).includes(verdict.value)

/** The values that a probe has found, of assumptions that can be changed. */
export const probedValues = (probed: Probed): Assumed =>
  Object.fromEntries(
    changeable().flatMap(name => {
      const verdict = verdictOn(name, probed)
      return verdict && 'value' in verdict ? [[name, verdict.value]] : []
    }),
  )

/** The verdicts about names and values that this version does not have: `NAME` and `NAME=VALUE`. */
export const unknownVerdicts = ({ verdicts }: Probed): string[] =>
  Object.entries(verdicts).flatMap(([name, verdict]) => {
    if (!isAssumption(name)) return name
    return hasKnownValue(name, verdict) ? [] : `${name}=${(verdict as { value: string }).value}`
  })

/** The list that the command line, HTTP and the page show. */
export function listAssumptions(assumed: Lenient<Assumed>, probed?: Probed) {
  return allNames.map(name => {
    const { section, question, values, why, evidence: published = [] }: Assumption = assumptions[name]
    const verdict = verdictOn(name, probed)
    const evidence = verdict ? [evidenceOf(verdict, probed!), ...published] : published
    const [usual, ...alternatives] = values
    const flag = alternatives.length > 0 ? `--assume ${name}=${alternatives.join('|')}` : null
    return {
      name,
      section,
      question,
      default: usual!,
      why,
      alternatives,
      evidence,
      sources_differ: sourcesDiffer(evidence),
      value: assumed[name] ?? usual!,
      flag,
      sets: valuesInSets(name),
    }
  })
}

/** What sets change it to, by the name of the set. */
export const valuesInSets = (name: AssumptionName): Partial<Record<AssumptionSet, string>> =>
  Object.fromEntries(
    Object.entries<Assumed>(assumptionSets).flatMap(([set, { [name]: value }]) => (value ? [[set, value]] : [])),
  )
