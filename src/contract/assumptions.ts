import { isObject } from '../basics/json.ts'
import type { Lenient } from './lenient.ts'

/**
 * A question that the API's document leaves open, and our answer. Where another answer makes sense, `--assume NAME=VALUE`
 * or a scenario selects it.
 */
export interface Assumption {
  /** The section of docs/api.md that describes it. */
  section: string
  question: string
  default: string
  why: string
  /** Empty where no other value makes sense. */
  alternatives: readonly string[]
  /** What public sources of a vendor say about it. */
  evidence?: string
}

export const assumptions = {
  missing_version: {
    section: '9',
    question: 'What is the answer to a request without the version header?',
    default: 'reject',
    why: 'The document says that every request carries it, so a client that forgets it should fail here first.',
    alternatives: ['accept'],
    evidence: 'ngrok documents an error for a request without the version header (218).',
  },
  wrong_version: {
    section: '9',
    question: 'What is the answer to a version other than 2?',
    default: 'reject',
    why: 'Answers in the shape of version 2 could mislead a client that asked for another.',
    alternatives: ['accept'],
    evidence: 'ngrok documents an error for a version it does not support (217).',
  },
  unknown_field: {
    section: '4',
    question: 'What happens to an unknown field in a body?',
    default: 'reject',
    why: 'A misspelt field that is dropped in silence is hard to find.',
    alternatives: ['ignore'],
    evidence: 'ngrok documents an error for an unknown field (214).',
  },
  unknown_query: {
    section: '4',
    question: 'What happens to an unknown query parameter?',
    default: 'ignore',
    why: 'Proxies and clients add parameters of their own.',
    alternatives: ['reject'],
    evidence: 'ngrok documents an error for an unknown query parameter (231).',
  },
  unknown_reference: {
    section: '4.2',
    question: 'May a list of IP policies name one that does not exist?',
    default: 'reject',
    why: 'A restriction that points nowhere does not do what its author meant.',
    alternatives: ['accept'],
    evidence: 'ngrok documents errors for policies that do not exist (1801, 7007).',
  },
  absent_module: {
    section: '4.3',
    question: 'What does GET answer for a module that is not set?',
    default: 'not_found',
    why: 'There is no module to return.',
    alternatives: ['defaults'],
  },
  delete_absent_module: {
    section: '4.3',
    question: 'What does DELETE answer for a module that is not set?',
    default: 'succeed',
    why: 'Controllers delete on every pass and expect success.',
    alternatives: ['not_found'],
    evidence: "ngrok's Kubernetes operator deletes modules that were never set, on every pass.",
  },
  restriction_without_policies: {
    section: '4.2',
    question: 'May an IP restriction be created without IP policies?',
    default: 'accept',
    why: 'The document requires no field, and clients omit empty lists.',
    alternatives: ['reject'],
    evidence: "ngrok's OpenAPI requires type and ip_policy_ids on create, and an error is documented for none (1804).",
  },
  restrictions_per_type: {
    section: '4.2',
    question: 'How many IP restrictions may have the same type?',
    default: 'many',
    why: 'The document gives no limit.',
    alternatives: ['one'],
    evidence: 'ngrok documents an error for a second restriction of a type (1802).',
  },
  empty_policy_list_on_update: {
    section: '4.2',
    question: 'What does an empty list of IP policies in an update do?',
    default: 'clear',
    why: 'It is what the request says, although some clients always send the list.',
    alternatives: ['keep', 'reject'],
    evidence: "ngrok's Python and Ruby SDKs send an empty list with every update that names none.",
  },
  other_owners_keys: {
    section: '5',
    question: 'May a caller who is not an admin read and change the keys of other owners?',
    default: 'allow',
    why: 'The document says that a list has all keys of the account, and describes no permissions.',
    alternatives: ['forbid'],
  },
  page_order: {
    section: '4',
    question: 'In which order are lists?',
    default: 'newest_first',
    why: 'Clients continue with before_id, which goes back in time.',
    alternatives: ['oldest_first'],
  },
  no_policies_attached: {
    section: '4.2',
    question: 'What does an enforced restriction, or an enabled module, do when it has no IP policies?',
    default: 'pass',
    why: 'Nothing is configured to be refused.',
    alternatives: ['refuse'],
  },
  add_existing_header: {
    section: '4.4',
    question: 'What happens when the request already has a header that is to be added?',
    default: 'append',
    why: 'To add is not to replace; name the header in remove as well to replace it.',
    alternatives: ['replace'],
  },
  required_fields: {
    section: '4.2',
    question: 'Which fields are required to create an IP restriction?',
    default: 'type',
    why: 'A restriction without a type restricts nothing; enforced defaults to false, ip_policy_ids to an empty list.',
    alternatives: [],
  },
  error_shape: {
    section: '7',
    question: 'What is the body of an error?',
    default: 'error_code, status_code, msg, details',
    why: 'It is what public clients read.',
    alternatives: [],
    evidence: "ngrok's OpenAPI and SDKs.",
  },
  page_size: {
    section: '4',
    question: 'How long is a page, and how is the next page requested?',
    default: 'limit 1 to 100 (100), before_id',
    why: 'It is what public clients send.',
    alternatives: [],
    evidence: "ngrok's OpenAPI has limit and before_id.",
  },
  header_rules: {
    section: '4.4',
    question: 'Which headers may be added and removed?',
    default: 'RFC 9110 names, printable values, no connection headers, 100 of each',
    why: 'Nothing else could be forwarded to the upstream unchanged.',
    alternatives: [],
  },
  wrong_method: {
    section: '4',
    question: 'What is the answer to a method that the path does not support?',
    default: '405 with Allow, also for HEAD and OPTIONS',
    why: 'The document lists every method.',
    alternatives: [],
  },
  unset_text: {
    section: '2',
    question: 'How are a description and metadata that are not set shown?',
    default: 'omit',
    why: 'The document omits them in IP restrictions; for the others it is silent.',
    alternatives: ['empty'],
    evidence:
      "ngrok's SDKs expect an empty string in their own tests; the Python one reads both without asking whether they are there.",
  },
  module_without_policies: {
    section: '4.3',
    question: 'May an IP restriction module be set without IP policies?',
    default: 'accept',
    why: 'The document requires no field, and clients omit empty lists.',
    alternatives: ['reject'],
    evidence: "ngrok's OpenAPI requires ip_policy_ids.",
  },
  neighbours: {
    section: '10',
    question: 'Are IP policies, backends, edges and routes served, which the document only refers to?',
    default: 'serve',
    why: 'Clients create what they refer to.',
    alternatives: ['absent'],
    evidence: "ngrok's OpenAPI and SDKs have them.",
  },
  delete_referenced: {
    section: '10',
    question: 'What happens when something is deleted that others refer to?',
    default: 'reject',
    why: 'What refers to nothing does not do what its author meant.',
    alternatives: ['detach'],
  },
  list_filter: {
    section: '10.8',
    question: 'What does the query parameter filter do?',
    default: 'documented',
    why: 'Clients that send it rely on it.',
    alternatives: ['ignore', 'reject'],
    evidence:
      "ngrok's OpenAPI has it on four lists of those simulated; its documentation names the part of CEL it takes.",
  },
  unsimulated_path: {
    section: '10.9',
    question: 'What is the answer on a path of the vendor that edgesim does not simulate?',
    default: 'not_implemented',
    why: 'A client takes 404 for "gone" and drops its record.',
    alternatives: ['not_found'],
    evidence: "The paths are those of ngrok's OpenAPI.",
  },
  unsimulated_module: {
    section: '10.9',
    question: 'What happens to a module in a body that edgesim does not simulate?',
    default: 'reject',
    why: 'A client that sets it relies on it.',
    alternatives: ['ignore'],
  },
  backend_prefix: {
    section: '10.3',
    question: 'What do the ids of static backends start with?',
    default: 'bkdst',
    why: 'The prefixes of the other kinds are known; this one is made like those of other backends.',
    alternatives: [],
  },
} as const satisfies Record<string, Assumption>

/** Sets by vendor: `--assume NAME` changes several to what public sources say. Single assumptions override a set. */
export const assumptionSets = {
  ngrok: {
    unset_text: 'empty',
    unknown_query: 'reject',
    restriction_without_policies: 'reject',
    module_without_policies: 'reject',
    restrictions_per_type: 'one',
  },
} as const satisfies Record<string, Assumed>

export type AssumptionSet = keyof typeof assumptionSets
const isAssumptionSet = (name: string): name is AssumptionSet => Object.hasOwn(assumptionSets, name)

export type AssumptionName = keyof typeof assumptions
const allNames = Object.keys(assumptions) as AssumptionName[]
/** The assumptions that were changed; the others have their defaults. */
export type Assumed = { [N in AssumptionName]?: AssumptionValue<N> }
export type AssumptionValue<N extends AssumptionName> =
  | (typeof assumptions)[N]['default']
  | (typeof assumptions)[N]['alternatives'][number]

/** How assumptions can be given: an object by name, the name of a set, or a list of sets and of NAME=VALUE. */
export type AssumedForm = Assumed | AssumptionSet | readonly string[]

/** Assumptions by name, unchecked; undefined where no value is given. Single ones override sets, in any order. */
export function expandAssumed(given: Lenient<AssumedForm>): Record<string, string | undefined> {
  if (isObject(given)) return given
  const words = (typeof given === 'string' ? [given] : given).flatMap(text => text.split(',')).map(text => text.trim())
  const sets = words.filter(isAssumptionSet).map(name => assumptionSets[name])
  const pairs = words.filter(word => !isAssumptionSet(word)).map(splitPair)
  return Object.assign({}, ...sets, Object.fromEntries(pairs))
}

function splitPair(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

/** The names of assumptions and of sets. */
export const assumptionNames = () => [...allNames, ...Object.keys(assumptionSets)]

export const isAssumption = (name: string): name is AssumptionName => Object.hasOwn(assumptions, name)

/** The assumptions that have alternatives. */
export const changeable = () => allNames.filter(name => assumptions[name].alternatives.length > 0)

export const valuesOf = (name: AssumptionName): string[] => [
  assumptions[name].default,
  ...assumptions[name].alternatives,
]

/** The properties of a JSON Schema for an object that changes assumptions. */
export const assumptionMembers = () =>
  Object.fromEntries(allNames.map(name => [name, { description: assumptions[name].question, enum: valuesOf(name) }]))

/** The list that the command line, HTTP and the page show. */
export function listAssumptions(assumed: Lenient<Assumed>) {
  return allNames.map(name => ({
    name,
    ...(assumptions[name] as Assumption),
    value: assumed[name] ?? assumptions[name].default,
    flag: assumptions[name].alternatives.length ? `--assume ${name}=${assumptions[name].alternatives.join('|')}` : null,
  }))
}
