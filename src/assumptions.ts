/**
 * What the API's document does not say, and we had to choose. Each choice has a name; where another choice makes
 * sense, it can be flipped by `--assume NAME=VALUE` or by a scenario.
 */
export interface Assumption {
  /** The section of docs/api.md that is silent. */
  section: string
  question: string
  default: string
  why: string
  /** Other values; empty where flipping would make no sense. */
  alternatives: string[]
}

export const assumptions = {
  missing_version: {
    section: '9',
    question: 'What happens without the version header?',
    default: 'reject',
    why: 'The document says every request carries it; a client that forgets it should hear so here first.',
    alternatives: ['accept'],
  },
  wrong_version: {
    section: '9',
    question: 'What happens with a version other than 2?',
    default: 'reject',
    why: 'Answers in the shape of version 2 could mislead a client that asked for another.',
    alternatives: ['accept'],
  },
  unknown_field: {
    section: '4',
    question: 'What happens to a body field that the operation does not have?',
    default: 'reject',
    why: 'A misspelt field that is silently dropped is the hardest mistake to find.',
    alternatives: ['ignore'],
  },
  unknown_query: {
    section: '4',
    question: 'What happens to a query parameter that the operation does not have?',
    default: 'ignore',
    why: 'Proxies and clients add parameters of their own.',
    alternatives: ['reject'],
  },
  unknown_reference: {
    section: '4.2',
    question: 'May a list of policies name one that does not exist?',
    default: 'reject',
    why: 'A restriction that points nowhere does not do what its author meant.',
    alternatives: ['accept'],
  },
  absent_module: {
    section: '4.3',
    question: 'What does getting a module answer that was never set, or deleted?',
    default: 'not_found',
    why: 'There is nothing to show.',
    alternatives: ['defaults'],
  },
  delete_absent_module: {
    section: '4.3',
    question: 'What does deleting a module answer that is not set?',
    default: 'succeed',
    why: 'Controllers delete on every pass and expect to succeed.',
    alternatives: ['not_found'],
  },
  restriction_without_policies: {
    section: '4.2',
    question: 'May an IP restriction be created without policies?',
    default: 'accept',
    why: 'The document names no required field; clients leave empty lists out.',
    alternatives: ['reject'],
  },
  restrictions_per_type: {
    section: '4.2',
    question: 'How many IP restrictions of one type may there be?',
    default: 'many',
    why: 'The document gives no limit.',
    alternatives: ['one'],
  },
  empty_policy_list_on_update: {
    section: '4.2',
    question: 'What does an update with an empty list of policies mean?',
    default: 'clear',
    why: 'It is what was asked for, even though some clients always send it.',
    alternatives: ['keep', 'reject'],
  },
  other_owners_keys: {
    section: '5',
    question: 'May someone who is no admin see and change keys of other owners?',
    default: 'allow',
    why: 'Listing is documented as all keys of the account, and no permissions are shown.',
    alternatives: ['forbid'],
  },
  page_order: {
    section: '4',
    question: 'In which order do lists come?',
    default: 'newest_first',
    why: 'before_id, which real clients send, goes back in time.',
    alternatives: ['oldest_first'],
  },
  no_policies_attached: {
    section: '4.2',
    question: 'What do an enabled module and an enforced restriction with no policies do?',
    default: 'pass',
    why: 'Nothing was configured to be refused.',
    alternatives: ['refuse'],
  },
  add_existing_header: {
    section: '4.4',
    question: 'What happens when an added header is in the request already?',
    default: 'append',
    why: 'Adding is not replacing; naming it in remove too replaces it.',
    alternatives: ['replace'],
  },
  required_fields: {
    section: '4.2',
    question: 'Which fields must creating an IP restriction give?',
    default: 'type',
    why: 'A restriction of nothing means nothing; enforced defaults to false and ip_policy_ids to an empty list.',
    alternatives: [],
  },
  error_shape: {
    section: '7',
    question: 'What do errors look like?',
    default: 'error_code, status_code, msg, details',
    why: 'It is what the public clients read.',
    alternatives: [],
  },
  page_size: {
    section: '4',
    question: 'How long is a page, and how is the next one asked for?',
    default: 'limit 1 to 100 (100), before_id',
    why: 'It is what the public clients send.',
    alternatives: [],
  },
  header_rules: {
    section: '4.4',
    question: 'Which headers may be added and removed?',
    default: 'RFC 9110 names, printable values, none of the connection, 100 of each',
    why: 'Anything else could not be sent to the upstream as it is.',
    alternatives: [],
  },
  wrong_method: {
    section: '4',
    question: 'What does a method answer that the path does not have?',
    default: '405 with Allow, also for HEAD and OPTIONS',
    why: 'The document lists every method there is.',
    alternatives: [],
  },
} satisfies Record<string, Assumption>

export type AssumptionName = keyof typeof assumptions
/** What is flipped; everything else has its default. */
export type Assumed = Partial<Record<AssumptionName, string>>

export const isAssumption = (name: string): name is AssumptionName => Object.hasOwn(assumptions, name)

export const valuesOf = (name: AssumptionName): string[] => [
  assumptions[name].default,
  ...assumptions[name].alternatives,
]

/** The list as it is printed everywhere: on the command line, over HTTP, on the page. */
export function listAssumptions(assumed: Assumed) {
  return (Object.keys(assumptions) as AssumptionName[]).map(name => ({
    name,
    ...(assumptions[name] as Assumption),
    value: assumed[name] ?? assumptions[name].default,
    flag: assumptions[name].alternatives.length ? `--assume ${name}=${assumptions[name].alternatives.join('|')}` : null,
  }))
}
