import { MAX_COMPARISONS } from '../src/basics/comparisons.ts'
import { MAX_DEPTH } from '../src/basics/json.ts'
import { MAX_PROBLEMS } from '../src/basics/problem.ts'
import { MAX_CLASS_CHARACTERS, MAX_PATTERN_LENGTH } from '../src/basics/regular-expression.ts'
import { MAX_UNREAD_LOG_BYTES } from '../src/cli/log/lines.ts'
import { MAX_MESSAGE_MB, MAX_RESULT_CHARACTERS } from '../src/cli/mcp/bounds.ts'
import { MAX_HAR_BYTES } from '../src/cli/process/har-file.ts'
import { MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES } from '../src/contract/journal-entry.ts'
import {
  AGENT_MESSAGE,
  BODY,
  CALL,
  MAX_ERROR_MESSAGE,
  MAX_GLOB_LENGTH,
  MAX_SCENARIO_RULES,
  MAX_SEQUENCE_STEPS,
  MAX_WHEN_VALUES,
  STATE,
} from '../src/contract/lengths.ts'
import { MAX_CONTROL_BODY_BYTES } from '../src/control/app.ts'
import { MAX_REGULAR_EXPRESSIONS } from '../src/control/journal/expectation.ts'
import { MAX_PROGRAM_SIZE, MAX_SEARCHED_LENGTH, MAX_WORK } from '../src/control/journal/regular-expression.ts'
import { MAX_CALL_TIMEOUT_MS } from '../src/control/routes/call.ts'
import { MAX_CERTIFICATE_MB, MAX_DOCUMENT_MB } from '../src/engine/files/read-file.ts'
import {
  MAX_REPORTED,
  MAX_YAML_ALIASES,
  MAX_YAML_BODY_KIB,
  MAX_YAML_BODY_TOKENS,
  MAX_YAML_KIB,
  MAX_YAML_NESTING,
} from '../src/engine/files/yaml-text.ts'
import { MAX_REPEAT, MAX_REPEATED_MB, MAX_TEMPLATE_KB } from '../src/engine/fixtures/expand.ts'
import { MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES } from '../src/engine/launch/registry.ts'
import { MAX_LOGGED, MAX_LOGGED_BYTES } from '../src/engine/sandbox/index.ts'
import { MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES, MAX_SNAPSHOTS } from '../src/engine/sandbox/snapshots.ts'
import { MAX_ROLLING_REQUESTS } from '../src/engine/scenarios/schema.ts'
import { MAX_CHANGES, MAX_CHANGES_LENGTH } from '../src/engine/state/history.ts'
import { MAX_DELETED_IDS } from '../src/engine/state/table.ts'
import { MAX_CURRENT_BYTES, MAX_DATABASE_BYTES } from '../src/engine/store/file-store.ts'
import { MAX_PEM_BYTES } from '../src/ngrok/certificates/shapes.ts'
import {
  MAX_CONNECTIONS as EDGE_CONNECTIONS,
  MAX_LISTENERS,
  MAX_REPORTED_DECISIONS,
} from '../src/ngrok/edges/bounds.ts'
import { MAX_CACHED_INSTRUCTIONS, MAX_FILTER_WORK } from '../src/ngrok/edges/user-agent-filter.ts'
import { MAX_SIGNED_BYTES } from '../src/ngrok/edges/webhook-verification.ts'
import { ATTEMPT_MS, MAX_DELIVERY_ATTEMPTS } from '../src/ngrok/events/sender.ts'
import { MAX_FILTER_DEPTH } from '../src/ngrok/filters/syntax.ts'
import { MAX_PAGE_SIZE } from '../src/ngrok/pages.ts'
import {
  MAX_PAGES,
  MAX_REQUESTS_PER_MINUTE,
  MAX_TRIES,
  MAX_WAIT_SECONDS,
  REQUESTS_PER_MINUTE,
  RESPONSE_TIMEOUT_SECONDS,
} from '../src/ngrok/real-api/connection.ts'
import { MAX_IMPORTED_RECORDS } from '../src/ngrok/real-api/import/read-collections.ts'
import { MAX_REPORTED_PLACES } from '../src/ngrok/real-api/import/report.ts'
import { MAX_JOURNAL_MB } from '../src/ngrok/real-api/probe/journal.ts'
import { MAX_ATTEMPTS } from '../src/ngrok/real-api/probe/run.ts'
import { MAX_RESPONSE_MB } from '../src/ngrok/real-api/response.ts'
import { MAX_HOSTPORTS } from '../src/ngrok/resources/edges/address.ts'
import { HEADER_LIMITS } from '../src/ngrok/resources/edges/headers.ts'
import { MAX_FILTER_PROGRAM } from '../src/ngrok/resources/edges/modules/user-agent-filter.ts'
import { operations } from '../src/ngrok/resources/index.ts'
import { MAX_API_BODY_BYTES } from '../src/server/api/body.ts'
import { CLOSE_MS } from '../src/server/http/server.ts'
import { LAST_RESPONSE_MS, MAX_PIPELINED } from '../src/server/http/sockets.ts'
import { MAX_EVIDENCE_MB } from '../src/simulator/options/evidence-file.ts'
import { options } from '../src/simulator/options/options.ts'
import { MAX_REFUSALS } from '../src/simulator/refusals.ts'
import { MAX_CONNECTIONS, REQUEST_TIMEOUTS } from '../src/simulator/server.ts'
import { CONNECT_TIMEOUT_MS } from '../src/simulator/stand-in/pass-through.ts'
import { MAX_BLOCKED_HOSTS } from '../src/simulator/stand-in/proxy.ts'
import { VALID_DAYS } from '../src/simulator/stand-in/stand-in.ts'

const count = (value: number, unit = '') => `${value.toLocaleString('en')}${unit && ` ${unit}`}`
const seconds = (value: number) => count(value, 's')
const bytes = (value: number) =>
  value < 1024 ** 2 ? `${value / 1024} KB` : value < 1024 ** 3 ? `${value / 1024 ** 2} MB` : `${value / 1e9} GB`

type Bound = [what: string, value: string, beyond: string]

/** All documented limits. Documents link to one by its key: `[](limits.md#bound-KEY)`. */
const BOUNDS: Record<string, Record<string, Bound>> = {
  Requests: {
    'api-body': ['API request body', bytes(MAX_API_BODY_BYTES), '413'],
    'control-body': ['Control API request body', bytes(MAX_CONTROL_BODY_BYTES), '413'],
    'control-values': ['JSON values in it, except in a state', count(BODY.values), '400'],
    'state-values': ['JSON values in a state or fixture', count(STATE.values), '400'],
    'control-list': ['List items in it, except in a state', count(BODY.list), '400'],
    'control-fields': ['Fields of an object in it', count(BODY.members), '400'],
    'call-list': ['Both in `body` of `POST /_sim/call`', count(CALL.list), '400'],
    'control-text': ['String in it', bytes(BODY.text), '400'],
    problems: ['Reported problems per body or file', count(MAX_PROBLEMS), 'rest omitted'],
    depth: ['Nesting of a body, record or file', count(MAX_DEPTH), '400 or file error'],
    'added-headers': ['Names in `add` or `remove` of request headers', count(HEADER_LIMITS.documentedCount), '400'],
    'stored-headers': [
      'Same, in fixtures and with `header_limits=wide`',
      count(HEADER_LIMITS.count),
      '400 or file error',
    ],
    'header-name': ['Header name in them', count(HEADER_LIMITS.nameBytes, 'bytes'), '400'],
    'header-value': ['Header value in them', count(HEADER_LIMITS.valueBytes, 'bytes'), '400'],
    pem: ['Certificate or key in PEM', bytes(MAX_PEM_BYTES), '400'],
    'page-size': ['Items per page', count(MAX_PAGE_SIZE), '400'],
    'filter-depth': ['Nesting of a filter', count(MAX_FILTER_DEPTH), '400'],
    comparisons: [
      'Characters of a filter, a `/_sim/db` query, an expectation or the paths of a scenario, times the records, entries or operations to compare',
      count(MAX_COMPARISONS),
      '400',
    ],
    'call-timeout': ['`timeout` of `POST /_sim/call`', seconds(MAX_CALL_TIMEOUT_MS / 1000), '400'],
  },
  Connections: {
    connections: ['Connections per listening address', count(MAX_CONNECTIONS), 'connection closed'],
    'headers-time': ['Time to send request headers', seconds(REQUEST_TIMEOUTS.headers), '408'],
    'request-time': ['Time to send a request', seconds(REQUEST_TIMEOUTS.request), '408'],
    ahead: ['Pipelined requests', count(MAX_PIPELINED), '503, connection closed'],
    'close-time': ['Time for open requests at shutdown', seconds(CLOSE_MS / 1000), 'connection closed'],
    'last-response-time': [
      'Time to read the response to a rejected request',
      seconds(LAST_RESPONSE_MS / 1000),
      'connection closed',
    ],
  },
  'Each sandbox': {
    'journal-requests': ['Requests in the request log', count(MAX_JOURNAL_ENTRIES), 'oldest dropped'],
    'journal-bytes': ['Request log size', bytes(MAX_JOURNAL_BYTES), 'oldest dropped'],
    changes: ['Changes for rewind and stale reads', count(MAX_CHANGES), 'oldest dropped'],
    'change-bytes': ['Size of these changes', bytes(MAX_CHANGES_LENGTH), 'oldest dropped'],
    decisions: ['Edge decisions', count(MAX_LOGGED), 'oldest dropped'],
    deliveries: ['Event deliveries', count(MAX_LOGGED), 'oldest dropped, even if pending'],
    'delivery-bytes': ['Size of these deliveries', bytes(MAX_LOGGED_BYTES), 'oldest dropped'],
    snapshots: ['Snapshots', count(MAX_SNAPSHOTS), '409'],
    'deleted-ids': ['Deleted ids per table that paging remembers (minimum)', count(MAX_DELETED_IDS), '400'],
    rules: ['Scenario rules', count(MAX_SCENARIO_RULES), 'rejected'],
    'when-values': ['Values of a `when` field', count(MAX_WHEN_VALUES), 'rejected'],
    'written-path': [
      'Path or event type in a rule or `verify`',
      count(MAX_GLOB_LENGTH, 'characters'),
      '400 or file error',
    ],
    'rolling-requests': ['Requests of all rolling rate limits', count(MAX_ROLLING_REQUESTS), 'rejected'],
  },
  'All sandboxes': {
    sandboxes: ['Sandboxes (`--max-sandboxes`)', count(options.maxSandboxes.default), '503'],
    'past-bytes': [
      'Size of request logs, changes, decisions and deliveries',
      bytes(MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES),
      'least recently used cleared',
    ],
    'snapshot-bytes': ['Size of snapshots', bytes(MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES), '409'],
    refusals: ['Different rejections in `GET /_sim/info` and log', count(MAX_REFUSALS), 'oldest dropped, not logged'],
  },
  '`POST /_sim/requests/verify` and `/deliveries/verify`': {
    sequence: ['Steps of a `sequence`', count(MAX_SEQUENCE_STEPS), '400'],
    'where-patterns': ['Regular expressions in `where`', count(MAX_REGULAR_EXPRESSIONS), '400'],
    'pattern-length': ['Regular expression', count(MAX_PATTERN_LENGTH, 'characters'), '400'],
    'pattern-program': ['Its compiled instructions', count(MAX_PROGRAM_SIZE), '400'],
    'pattern-classes': ['Characters in `(?i)` ranges (`\\pL` counts as 5,000)', count(MAX_CLASS_CHARACTERS), '400'],
    'pattern-text': ['Searched string', count(MAX_SEARCHED_LENGTH, 'characters'), 'rest ignored'],
    'pattern-work': [
      'Instructions (with wide classes like `\\pL` times 6) times searched characters, of all expressions and entries',
      count(MAX_WORK),
      '400',
    ],
  },
  Edges: {
    hostports: ['Addresses per edge', count(MAX_HOSTPORTS), '400'],
    listeners: ['Edge listeners', count(MAX_LISTENERS), 'listener fails'],
    'filter-program': ['Compiled instructions of `allow` or `deny` patterns', count(MAX_FILTER_PROGRAM), '400'],
    'filter-classes': ['Characters in their `(?i)` ranges', count(MAX_CLASS_CHARACTERS), '400'],
    'filter-cache': ['Cached instructions', count(MAX_CACHED_INSTRUCTIONS), 'least recently used recompiled'],
    'filter-work': ['Filter instructions times User-Agent characters', count(MAX_FILTER_WORK), '403'],
    'webhook-body': ['Signed request body', bytes(MAX_SIGNED_BYTES), '403'],
    'reported-decisions': ['Decisions in `GET /_sim/traffic`', count(MAX_REPORTED_DECISIONS), 'latest shown'],
    'edge-connections': ['Connections to all edges, half per listener', count(EDGE_CONNECTIONS), 'connection closed'],
    'open-files': ['Open files (`ulimit -n`) for both limits', count(MAX_LISTENERS * 20), 'limits reduced'],
  },
  'Deliveries and `--as`': {
    'delivery-attempts': ['`--deliver-to` attempts per event', count(MAX_DELIVERY_ATTEMPTS), 'delivery fails'],
    'delivery-time': ['Time for a receiver to respond', seconds(ATTEMPT_MS / 1000), 'attempt fails'],
    'stand-in-connections': [
      '`--as` connections to the proxy or a host port',
      count(MAX_CONNECTIONS),
      'connection closed',
    ],
    'pass-through-time': ['`--pass-through` time to connect', seconds(CONNECT_TIMEOUT_MS / 1000), '502'],
    'rejected-hosts': ['Remembered rejected hosts', count(MAX_BLOCKED_HOSTS), 'rejected, counted'],
    'stand-in-days': ['Certificate validity in days', count(VALID_DAYS), 'restart'],
  },
  'Files and output': {
    document: ['Fixture or scenario', count(MAX_DOCUMENT_MB, 'MB'), 'file error'],
    repeat: ['Copies of a fixture record', count(MAX_REPEAT), 'file error'],
    'repeat-record': ['Size of a record with copies', count(MAX_TEMPLATE_KB, 'KB'), 'file error'],
    'repeat-size': ['Size of all copies in a fixture', bytes(MAX_REPEATED_MB * 1024 * 1024), 'file error'],
    yaml: ['Same in YAML, about 2,500 keys', `${MAX_YAML_KIB} KiB`, 'use JSON'],
    certificate: ['Certificate or key file', count(MAX_CERTIFICATE_MB, 'MB'), 'file error'],
    'yaml-body': ['YAML scenario in a `/_sim` request or response', `${MAX_YAML_BODY_KIB} KiB`, '400'],
    'yaml-body-tokens': ['YAML tokens in it', count(MAX_YAML_BODY_TOKENS), '400'],
    'yaml-aliases': ['Aliases in a YAML file', count(MAX_YAML_ALIASES), 'file error'],
    'yaml-depth': ['YAML nesting', count(MAX_YAML_NESTING), 'file error'],
    evidence: ['`evidence.json`', bytes(MAX_EVIDENCE_MB * 1024 ** 2), 'file error'],
    'yaml-problems': ['Reported syntax problems', count(MAX_REPORTED), 'rest omitted'],
    database: ['Database file with its log', bytes(MAX_DATABASE_BYTES), '503 for writes'],
    'current-database': [
      'Database file that is current a second after the last change',
      bytes(MAX_CURRENT_BYTES),
      'current when its log is larger than the file, and on exit',
    ],
    log: ['Unread log output', bytes(MAX_UNREAD_LOG_BYTES), 'lines dropped, counted'],
    har: ['`exec --har` file', bytes(MAX_HAR_BYTES), 'oldest dropped'],
    'error-message': ['Error message in a coverage report', count(MAX_ERROR_MESSAGE, 'characters'), 'shortened'],
  },
  '`import` and `probe`': {
    pace: ['Requests per minute (default)', count(REQUESTS_PER_MINUTE), 'waits'],
    'pace-limit': ['`--pace` value', count(MAX_REQUESTS_PER_MINUTE), 'usage error'],
    tries: ['Attempts per request', count(MAX_TRIES), 'stops, resumable'],
    'asked-wait': ['`Retry-After`', seconds(MAX_WAIT_SECONDS), 'stops, resumable'],
    'remote-response-time': ['Response time', seconds(RESPONSE_TIMEOUT_SECONDS), 'retries'],
    'remote-response': ['Response size', count(MAX_RESPONSE_MB, 'MB'), 'retries'],
    'remote-pages': ['Pages per list', count(MAX_PAGES), 'stops'],
    'imported-records': ['Records per account', count(MAX_IMPORTED_RECORDS), 'stops'],
    'reported-places': ['Fields listed in an import report', count(MAX_REPORTED_PLACES), 'rest counted'],
    attempts: ['Attempts per experiment', count(MAX_ATTEMPTS), 'stops'],
    'probe-journal': ['`probe sweep` journal', count(MAX_JOURNAL_MB, 'MB'), 'file error'],
  },
  '`edgesim mcp`': {
    result: ['JSON in a tool result', count(MAX_RESULT_CHARACTERS, 'characters'), 'shortened'],
    message: ['Client message', count(MAX_MESSAGE_MB, 'MB'), 'exit code 1'],
    'message-fields': ['Fields of an object in it', count(AGENT_MESSAGE.members), 'JSON-RPC error'],
    'message-depth': ['Nesting in it', count(AGENT_MESSAGE.depth), 'JSON-RPC error'],
    'message-text': ['String in it', bytes(AGENT_MESSAGE.text), 'JSON-RPC error'],
  },
}

/** The tables of docs/limits.md. */
export const boundTables = () =>
  Object.entries(BOUNDS)
    .map(([group, bounds]) =>
      [
        `### ${group}`,
        '',
        '| Limit | Value | If exceeded |',
        '| --- | --- | --- |',
        ...Object.entries(bounds).map(
          ([key, [what, value, beyond]]) => `| <a id="bound-${key}"></a>${what} | ${value} | ${beyond} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n')

/** Updates the values in a document: link texts of limits, and the number of operations between marks. */
export const fillBounds = (document: string) =>
  document
    .replace(/\[[^\]]*\]\(([^)\s]*limits\.md#bound-([\w-]+))\)/g, (_link, target: string, key: string) => {
      const bound = Object.values(BOUNDS).find(bounds => Object.hasOwn(bounds, key))?.[key]
      if (!bound) throw new Error(`Unknown limit ${key}. See scripts/bounds.ts.`)
      return `[${bound[1]}](${target})`
    })
    .replace(/(<!-- operations -->)[^<]*(?=<!-- \/operations -->)/g, (_all, mark: string) => mark + operations.length)
