import { MAX_API_BODY_BYTES } from '../src/api/body.ts'
import { MAX_DEPTH } from '../src/basics/json.ts'
import { MAX_PROBLEMS } from '../src/basics/problem.ts'
import { MAX_CLASS_CHARACTERS, MAX_PATTERN_LENGTH } from '../src/basics/regular-expression.ts'
import { SLICE_MS } from '../src/basics/slices.ts'
import { MAX_PEM_BYTES } from '../src/certificates/shapes.ts'
import { MAX_UNREAD_LOG_BYTES } from '../src/cli/log/lines.ts'
import { MAX_HAR_BYTES } from '../src/cli/process/har-file.ts'
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES } from '../src/contract/journal-entry.ts'
import {
  AGENT_MESSAGE,
  BODY,
  CALL,
  MAX_SCENARIO_RULES,
  MAX_SEQUENCE_STEPS,
  MAX_WHEN_VALUES,
  MAX_WRITTEN_PATH,
  STATE,
} from '../src/contract/lengths.ts'
import { MAX_CONTROL_BODY_BYTES } from '../src/control/app.ts'
import {
  MAX_ALL_KEPT_EVENT_CHARACTERS,
  MAX_KEPT_EVENT_CHARACTERS,
  MAX_KEPT_EVENTS,
} from '../src/control/journal/event-hub.ts'
import { MAX_REGULAR_EXPRESSIONS } from '../src/control/journal/expectation.ts'
import { MAX_PROGRAM_SIZE, MAX_SEARCHED_LENGTH, MAX_WORK } from '../src/control/journal/regular-expression.ts'
import { MAX_CALL_TIMEOUT_MS } from '../src/control/routes/call.ts'
import { ATTEMPT_MS, MAX_DELIVERY_ATTEMPTS } from '../src/events/sender.ts'
import { MAX_CERTIFICATE_MB, MAX_DOCUMENT_MB } from '../src/files/read-file.ts'
import {
  MAX_REPORTED,
  MAX_YAML_ALIASES,
  MAX_YAML_BODY_KIB,
  MAX_YAML_BODY_TOKENS,
  MAX_YAML_KIB,
  MAX_YAML_NESTING,
} from '../src/files/yaml-text.ts'
import { CLOSE_MS } from '../src/http/server.ts'
import { LAST_RESPONSE_MS, MAX_PIPELINED } from '../src/http/sockets.ts'
import { MAX_MESSAGE_MB, MAX_RESULT_CHARACTERS } from '../src/mcp/bounds.ts'
import { MAX_FILTER_DEPTH } from '../src/operations/filter-syntax.ts'
import { MAX_PAGE_SIZE } from '../src/operations/list.ts'
import { MAX_EVIDENCE_MB } from '../src/options/evidence-file.ts'
import { options } from '../src/options/options.ts'
import { MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES } from '../src/registry/registry.ts'
import { MAX_ANSWER_MB } from '../src/remote/response.ts'
import {
  ANSWER_WITHIN_SECONDS,
  MAX_PAGES,
  MAX_REQUESTS_PER_MINUTE,
  MAX_TRIES,
  MAX_WAIT_SECONDS,
  REQUESTS_PER_MINUTE,
} from '../src/remote/connection.ts'
import { MAX_IMPORTED_RECORDS } from '../src/remote/import/read-collections.ts'
import { MAX_REPORTED_PLACES } from '../src/remote/import/report.ts'
import { MAX_JOURNAL_MB } from '../src/remote/probe/journal.ts'
import { MAX_ATTEMPTS } from '../src/remote/probe/run.ts'
import { MAX_FILTER_PROGRAM } from '../src/resources/edges/modules/user-agent-filter.ts'
import { operations } from '../src/resources/index.ts'
import { MAX_DECISIONS } from '../src/sandbox/decisions.ts'
import { MAX_DELIVERIES, MAX_DELIVERY_BYTES } from '../src/sandbox/deliveries.ts'
import { MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES, MAX_SNAPSHOTS } from '../src/sandbox/snapshots.ts'
import { MAX_ROLLING_REQUESTS } from '../src/scenarios/schema.ts'
import { MAX_HOSTPORTS } from '../src/schema/address.ts'
import { HEADER_LIMITS } from '../src/schema/headers.ts'
import { MAX_REFUSALS } from '../src/simulator/refusals.ts'
import { MAX_CONNECTIONS, REQUEST_TIMEOUTS } from '../src/simulator/server.ts'
import { PATIENCE_MS } from '../src/stand-in/pass-through.ts'
import { MAX_REFUSED } from '../src/stand-in/proxy.ts'
import { VALID_DAYS } from '../src/stand-in/stand-in.ts'
import { MAX_CHANGES, MAX_CHANGES_LENGTH } from '../src/state/history.ts'
import { MAX_DELETED_IDS } from '../src/state/table.ts'
import { MAX_DATABASE_BYTES } from '../src/store/file-store.ts'
import { MAX_CONNECTIONS as EDGE_CONNECTIONS, MAX_LISTENERS, MAX_REPORTED_DECISIONS } from '../src/traffic/bounds.ts'
import { MAX_FILTER_WORK, MAX_KEPT_INSTRUCTIONS } from '../src/traffic/user-agent-filter.ts'
import { MAX_SIGNED_BYTES } from '../src/traffic/webhook-verification.ts'

const count = (value: number, unit = '') => `${value.toLocaleString('en')}${unit && ` ${unit}`}`
const seconds = (value: number) => count(value, 's')
const bytes = (value: number) =>
  value < 1024 ** 2 ? `${value / 1024} KB` : value < 1024 ** 3 ? `${value / 1024 ** 2} MB` : `${value / 1e9} GB`

type Bound = [what: string, value: string, beyond: string]

/** All bounds that documents name. Documents refer to one by its key: `[](limits.md#bound-KEY)`. */
const BOUNDS: Record<string, Record<string, Bound>> = {
  'A request': {
    'api-body': ['body of a call of the API', bytes(MAX_API_BODY_BYTES), '413'],
    'control-body': ['body of a call of the control plane', bytes(MAX_CONTROL_BODY_BYTES), '413'],
    'control-values': ['values in such a body, beside a state', count(BODY.values), '400'],
    'state-values': ['values in a state or a fixture in such a body', count(STATE.values), '400'],
    'control-list': ['items of a list in such a body, beside a state', count(BODY.list), '400'],
    'control-members': ['members of an object in such a body', count(BODY.members), '400'],
    'call-list': ['the two above in the `body` of `POST /_sim/call`', count(CALL.list), '400'],
    'control-text': ['text in such a body', bytes(BODY.text), '400'],
    problems: ['problems of a body or a file that are looked for', count(MAX_PROBLEMS), 'the rest is not told'],
    depth: ['levels of nesting of a body, a record or a file', count(MAX_DEPTH), '400, or an error in the file'],
    'added-headers': [
      'names in `add`, and names in `remove`, of request headers',
      count(HEADER_LIMITS.documentedCount),
      '400',
    ],
    'stored-headers': [
      'the same in a fixture, and with `header_limits=wide`',
      count(HEADER_LIMITS.count),
      '400, or an error in the file',
    ],
    'header-name': ['name of such a header', count(HEADER_LIMITS.nameBytes, 'bytes'), '400'],
    'header-value': ['value of such a header', count(HEADER_LIMITS.valueBytes, 'bytes'), '400'],
    pem: ['certificate or private key in PEM', bytes(MAX_PEM_BYTES), '400'],
    'page-size': ['items on a page of a list', count(MAX_PAGE_SIZE), '400'],
    'filter-depth': ['levels of nesting of a filter', count(MAX_FILTER_DEPTH), '400'],
    'call-timeout': ['`timeout` of `POST /_sim/call`', seconds(MAX_CALL_TIMEOUT_MS / 1000), '400'],
  },
  'A connection': {
    connections: ['connections to each address that it listens on', count(MAX_CONNECTIONS), 'the connection is closed'],
    'headers-time': ['time to send the headers of a request', seconds(REQUEST_TIMEOUTS.headers), '408'],
    'request-time': ['time to send a whole request', seconds(REQUEST_TIMEOUTS.request), '408'],
    ahead: [
      'requests that wait on a connection for the one before them',
      count(MAX_PIPELINED),
      '503, and the connection ends',
    ],
    'close-time': [
      'time that requests in progress have when it stops',
      seconds(CLOSE_MS / 1000),
      'the connection is closed',
    ],
    'last-response-time': [
      'time to read the response to a rejected request (CONNECT, no HTTP) and to close',
      seconds(LAST_RESPONSE_MS / 1000),
      'the connection is closed',
    ],
    slice: ['time that long work takes before other requests are served', count(SLICE_MS, 'ms'), 'it goes on later'],
  },
  'A sandbox': {
    'journal-requests': ['requests in the journal', count(MAX_JOURNAL_ENTRIES), 'the oldest is dropped'],
    'journal-bytes': ['size of the journal', bytes(MAX_JOURNAL_BYTES), 'the oldest requests are dropped'],
    changes: ['changes kept for rewind and stale reads', count(MAX_CHANGES), 'the oldest is dropped'],
    'change-bytes': ['size of these changes', bytes(MAX_CHANGES_LENGTH), 'the oldest are dropped'],
    decisions: ['decisions of edges', count(MAX_DECISIONS), 'the oldest is dropped'],
    deliveries: ['deliveries of events', count(MAX_DELIVERIES), 'the oldest is dropped, and not sent if it is pending'],
    'delivery-bytes': ['size of these deliveries', bytes(MAX_DELIVERY_BYTES), 'the oldest are dropped'],
    events: ['events kept for readers that come back', count(MAX_KEPT_EVENTS), 'the oldest is dropped'],
    'event-bytes': ['size of these events', bytes(MAX_KEPT_EVENT_CHARACTERS), 'the oldest are dropped'],
    snapshots: ['snapshots', count(MAX_SNAPSHOTS), '409'],
    'deleted-ids': ['deleted ids of a table that a page can continue from, at least', count(MAX_DELETED_IDS), '400'],
    rules: ['rules of a scenario', count(MAX_SCENARIO_RULES), 'the scenario is refused'],
    'when-values': ['values of one member of `when` in a rule', count(MAX_WHEN_VALUES), 'the scenario is refused'],
    'written-path': [
      'path, or type of an event, in a rule or in `verify`',
      count(MAX_WRITTEN_PATH, 'characters'),
      '400, or an error in the file',
    ],
    'rolling-requests': [
      'requests of its rate limits with a rolling window, together',
      count(MAX_ROLLING_REQUESTS),
      'the scenario is refused',
    ],
  },
  'All sandboxes together': {
    sandboxes: ['sandboxes (`--max-sandboxes`)', count(options.maxSandboxes.default), '503'],
    'past-bytes': [
      'size of journals, changes, decisions and deliveries',
      bytes(MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES),
      'sandboxes that were not used for the longest time lose theirs',
    ],
    'all-event-bytes': [
      'size of events',
      bytes(MAX_ALL_KEPT_EVENT_CHARACTERS),
      'sandboxes that were read first lose theirs',
    ],
    'snapshot-bytes': ['size of snapshots', bytes(MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES), '409'],
    refusals: [
      'different refusals in `GET /_sim/info`, and in the log',
      count(MAX_REFUSALS),
      'the oldest is dropped; the log reports no more',
    ],
  },
  '`POST /_sim/requests/verify` and `/deliveries/verify`': {
    sequence: ['steps of a `sequence`', count(MAX_SEQUENCE_STEPS), '400'],
    'where-patterns': ['regular expressions in a `where`', count(MAX_REGULAR_EXPRESSIONS), '400'],
    'pattern-length': ['length of a regular expression', count(MAX_PATTERN_LENGTH, 'characters'), '400'],
    'pattern-program': ['instructions that it compiles to', count(MAX_PROGRAM_SIZE), '400'],
    'pattern-classes': [
      'characters of the ranges under `(?i)` in all of them; a class like `\\pL` counts as 5,000',
      count(MAX_CLASS_CHARACTERS),
      '400',
    ],
    'pattern-text': ['text that is searched', count(MAX_SEARCHED_LENGTH, 'characters'), 'the rest is not searched'],
    'pattern-work': ['instructions times characters of a text', count(MAX_WORK), '400'],
  },
  Edges: {
    hostports: ['addresses of an edge', count(MAX_HOSTPORTS), '400'],
    listeners: ['listeners of all edges', count(MAX_LISTENERS), 'the listener is reported as failed'],
    'filter-program': [
      'instructions that the patterns of `allow`, and those of `deny`, of a user agent filter compile to',
      count(MAX_FILTER_PROGRAM),
      '400',
    ],
    'filter-classes': [
      'characters of the ranges under `(?i)` in these patterns; a class like `\\pL` counts as 5,000',
      count(MAX_CLASS_CHARACTERS),
      '400',
    ],
    'filter-kept': [
      'instructions of compiled patterns that are kept for later requests',
      count(MAX_KEPT_INSTRUCTIONS),
      'those not used for the longest time are compiled again',
    ],
    'filter-work': [
      'instructions of a user agent filter times characters of a User-Agent',
      count(MAX_FILTER_WORK),
      '403',
    ],
    'webhook-body': ['body of a request whose signature is checked', bytes(MAX_SIGNED_BYTES), '403'],
    'reported-decisions': [
      'decisions in `GET /_sim/traffic`',
      count(MAX_REPORTED_DECISIONS),
      'only the latest are shown',
    ],
    'edge-connections': [
      'connections to all edges; one listener has half of them',
      count(EDGE_CONNECTIONS),
      'the connection is closed',
    ],
    'open-files': [
      'files that the process may open (`ulimit -n`) for the two bounds above',
      count(MAX_LISTENERS * 20),
      'with fewer, both are smaller in proportion',
    ],
  },
  '`--deliver-to`': {
    'delivery-attempts': ['attempts to send an event', count(MAX_DELIVERY_ATTEMPTS), 'the delivery has failed'],
    'delivery-time': ['time that the receiver has to answer', seconds(ATTEMPT_MS / 1000), 'the attempt has failed'],
  },
  '`--as`': {
    'stand-in-connections': [
      'connections to the proxy, and to each port of a host',
      count(MAX_CONNECTIONS),
      'the connection is closed',
    ],
    'pass-through-time': [
      'time that another host has to accept a connection (`--pass-through`)',
      seconds(PATIENCE_MS / 1000),
      '502',
    ],
    'refused-hosts': ['other hosts that are remembered by name', count(MAX_REFUSED), 'they are refused and counted'],
    'stand-in-days': ['days that the certificates are valid', count(VALID_DAYS), 'start it again'],
  },
  'Files and output': {
    document: ['fixture or scenario, as a file or on stdin', count(MAX_DOCUMENT_MB, 'MB'), 'an error'],
    yaml: ['the same in YAML, which is some 2,500 keys', `${MAX_YAML_KIB} KiB`, 'an error: use JSON'],
    certificate: ['file of a certificate or a key', count(MAX_CERTIFICATE_MB, 'MB'), 'an error'],
    'yaml-body': [
      'scenario in YAML in a request to `/_sim` or its response',
      `${MAX_YAML_BODY_KIB} KiB`,
      '400: use JSON',
    ],
    'yaml-body-tokens': [
      'words, marks and spaces between them in such a request',
      count(MAX_YAML_BODY_TOKENS),
      '400: use JSON',
    ],
    'yaml-aliases': ['aliases in a YAML file', count(MAX_YAML_ALIASES), 'an error in the file'],
    'yaml-depth': ['levels of nesting that YAML is read to', count(MAX_YAML_NESTING), 'an error in the file'],
    evidence: ['file of evidence that `--assume` takes', bytes(MAX_EVIDENCE_MB * 1024 ** 2), 'an error'],
    'yaml-problems': [
      'problems reported of a file that cannot be parsed',
      count(MAX_REPORTED),
      'the rest is not reported',
    ],
    database: ['database file with its log', bytes(MAX_DATABASE_BYTES), '503 for writes'],
    log: ['log lines that nobody reads', bytes(MAX_UNREAD_LOG_BYTES), 'lines are dropped, and counted'],
    har: ['file of `exec --har`', bytes(MAX_HAR_BYTES), 'the oldest requests are dropped'],
  },
  'The real service (`import`, `probe`)': {
    pace: ['requests per minute, unless `--pace` says otherwise', count(REQUESTS_PER_MINUTE), 'it waits'],
    'pace-limit': ['value of `--pace`', count(MAX_REQUESTS_PER_MINUTE), 'wrong use'],
    tries: ['times that a request is sent until it is answered', count(MAX_TRIES), 'it ends, and can be continued'],
    'asked-wait': [
      'time that the service may ask to wait (`Retry-After`)',
      seconds(MAX_WAIT_SECONDS),
      'it ends, and can be continued',
    ],
    'remote-answer-time': [
      'time that the service has for an answer',
      seconds(ANSWER_WITHIN_SECONDS),
      'it is asked again',
    ],
    'remote-answer': ['answer of the service', count(MAX_ANSWER_MB, 'MB'), 'it is asked again'],
    'remote-pages': ['pages of a list', count(MAX_PAGES), 'it ends'],
    'imported-records': ['records of an account', count(MAX_IMPORTED_RECORDS), 'it ends'],
    'reported-places': [
      'places that the report of an import tells one by one',
      count(MAX_REPORTED_PLACES),
      'the rest is counted',
    ],
    attempts: ['times that an experiment is begun because an answer was lost', count(MAX_ATTEMPTS), 'the probe ends'],
    'probe-journal': ['journal that `probe sweep` takes', count(MAX_JOURNAL_MB, 'MB'), 'an error'],
  },
  '`edgesim mcp`': {
    result: ['JSON in the result of a tool', count(MAX_RESULT_CHARACTERS, 'characters'), 'lists and texts are cut'],
    message: ['message of the client', count(MAX_MESSAGE_MB, 'MB'), 'it exits with code 1'],
    'message-members': ['members of an object in a message', count(AGENT_MESSAGE.members), 'a JSON-RPC error'],
    'message-depth': ['levels of nesting in a message', count(AGENT_MESSAGE.depth), 'a JSON-RPC error'],
    'message-text': ['text in a message', bytes(AGENT_MESSAGE.text), 'a JSON-RPC error'],
  },
}

/** The tables of docs/limits.md. */
export const boundTables = () =>
  Object.entries(BOUNDS)
    .map(([group, bounds]) =>
      [
        `### ${group}`,
        '',
        '| | at most | beyond that |',
        '| --- | --- | --- |',
        ...Object.entries(bounds).map(
          ([key, [what, value, beyond]]) => `| <a id="bound-${key}"></a>${what} | ${value} | ${beyond} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n')

/** The document with current values: a bound is the text of a link to it, the number of operations is between marks. */
export const fillBounds = (document: string) =>
  document
    .replace(/\[[^\]]*\]\(([^)\s]*limits\.md#bound-([\w-]+))\)/g, (_link, target: string, key: string) => {
      const bound = Object.values(BOUNDS).find(bounds => Object.hasOwn(bounds, key))?.[key]
      if (!bound) throw new Error(`there is no bound ${key}: scripts/bounds.ts has the list`)
      return `[${bound[1]}](${target})`
    })
    .replace(/(<!-- operations -->)[^<]*(?=<!-- \/operations -->)/g, (_all, mark: string) => mark + operations.length)
