/** A route of the control API as a tool for coding agents. */
export interface Tool {
  name: string
  /** Imperative (default: the route's summary). */
  summary?: string
  /** When to use it, in a sentence. */
  when: string
  effect: 'reads' | 'changes' | 'destroys'
  /** The result in a sentence. {field} is replaced by its value, {list rule} by `1 rule` or `2 rules`. */
  says: string
  /** The argument that becomes the whole body, if its fields are unknown. */
  body?: string
  /** Query parameters that the tool always sets. */
  sets?: Record<string, string>
  /** Query parameters that the tool requires. */
  needs?: string[]
  /** The shown item fields, by list in the response. */
  brief?: Record<string, string[]>
}

const toolOf =
  (effect: Tool['effect']) =>
  (name: string, when: string, says: string, more: Partial<Tool> = {}): Tool => ({ name, effect, when, says, ...more })
const reads = toolOf('reads')
const changes = toolOf('changes')
const destroys = toolOf('destroys')

/** The tools by operation id of the control API, without `_of_sandbox`. */
export const TOOLS: Readonly<Record<string, Tool | readonly Tool[]>> = {
  get_info: reads(
    'simulator_info',
    'Use this first, to configure a client.',
    'edgesim {version} serves the API at {url}, with the fixture {fixture}.',
  ),
  get_assumptions: reads(
    'list_assumptions',
    'Use this if a response surprises you. A scenario can change assumptions with "assume".',
    '{assumptions assumption}, with their values in this sandbox.',
  ),
  patch_assumptions: destroys(
    'change_assumptions',
    'Use this to test your code under other assumptions.',
    '{assumptions assumption}, with their values in this sandbox.',
    { body: 'changes', brief: { assumptions: ['name', 'value'] } },
  ),
  get_resources: reads(
    'describe_api',
    'Use this before you write a client.',
    '{operations operation}. For fields and responses, use describe_operation.',
    {
      summary: 'List the API operations and record tables',
      brief: {
        kinds: ['table', 'label', 'path', 'prefix'],
        modules: ['name', 'label', 'path'],
        operations: ['id', 'method', 'path'],
      },
    },
  ),
  get_openapi_json: reads(
    'describe_operation',
    'Use this to get its parameters and responses in OpenAPI.',
    'How to call it. Send the version header, and Authorization: Bearer <token>.',
    { summary: 'Describe an API operation', needs: ['operation'] },
  ),
  get_report: reads(
    'run_report',
    'Use this to see which operations were called.',
    '{requests request}. {coverage.called} of {coverage.of} operations were called.',
  ),
  post_reset: destroys(
    'reset',
    'Use this to also restore the journal, the clock and the scenario.',
    'The sandbox was reset.',
  ),
  get_state: reads(
    'get_state',
    'Use this to see all records, or to save them as a fixture.',
    'All records, as a fixture.',
  ),
  put_state: destroys(
    'set_state',
    'Use this to start with exactly the records that a test needs.',
    'The state was replaced.',
    {
      body: 'state',
    },
  ),
  get_snapshots: reads('list_snapshots', 'Use this to see which states you can restore.', '{snapshots snapshot}.'),
  get_snapshots_name_diff: reads(
    'compare_snapshot',
    'Use this to see what your code changed.',
    '{total record}: added, changed or removed since {from}.',
    { brief: { ops: ['table', 'id', 'before', 'after'] } },
  ),
  put_snapshots_name: destroys('save_snapshot', 'Use this before a change that you might undo.', 'Saved as {name}.'),
  delete_snapshots_name: destroys(
    'delete_snapshot',
    'Use this when you no longer need it.',
    'The snapshot was deleted.',
  ),
  post_snapshots_name_restore: destroys(
    'restore_snapshot',
    'Use this to return to a saved state.',
    'The snapshot was restored.',
  ),
  post_call: destroys(
    'call_api',
    'Use this to try a request with any token. The journal records each call.',
    '{summary}',
  ),
  get_requests: reads(
    'list_requests',
    'Use this to see what your code sent, and the responses.',
    '{requests request}, newest first, up to limit (default: 100). For details, use explain_request.',
    {
      brief: {
        requests: ['id', 'at', 'operation', 'method', 'path', 'query', 'status', 'caller', 'rules', 'explanation'],
      },
    },
  ),
  delete_requests: destroys(
    'clear_requests',
    'Use this before a run that you verify later. The state is unchanged.',
    'The journal is empty.',
  ),
  post_requests_verify: reads(
    'verify_requests',
    'Use this to prove what your code sent: a number or a sequence of matching requests.',
    'As expected. Matching requests: {matched}.',
  ),
  get_requests_id: reads(
    'explain_request',
    'Use this if a request failed or returned an unexpected response.',
    '{method} {path}: {status}. {explanation.text}',
  ),
  post_requests_id_rewind: destroys(
    'rewind',
    'Use this to try again from the same state. The journal, clock and rule counters are unchanged.',
    'Restored the state just before the request.',
  ),
  get_clock: reads('get_clock', 'Use this to read the sandbox clock.', 'It is {now}.'),
  put_clock: changes(
    'set_clock',
    'Use this to skip or freeze time, for rate limits, expiry and created_at.',
    'It is {now} now.',
  ),
  delete_clock: changes('resume_clock', 'Use this to end a changed time.', 'Real time again: {now}.'),
  get_scenarios: reads(
    'list_scenarios',
    'Use this to find a ready-made scenario.',
    '{scenarios scenario} available by name.',
  ),
  get_scenario: reads(
    'get_scenario',
    'Use this to check that the expected rules fired.',
    'Scenario: {name}. Rules: {rules}.',
  ),
  put_scenario: [
    destroys(
      'use_scenario',
      'Use this to inject faults: errors, lost responses, latency, rate limits.',
      'The scenario {name} is active, with {rules rule}. To end it, use end_scenario.',
      { body: 'scenario', sets: { dry_run: 'false' } },
    ),
    reads('check_scenario', 'Use this while you write a scenario.', 'The scenario is valid: {rules rule}.', {
      summary: 'Validate a scenario without activating it',
      body: 'scenario',
      sets: { dry_run: 'true' },
    }),
  ],
  delete_scenario: destroys('end_scenario', 'Use this when the API should work normally again.', 'No active scenario.'),
  get_db_collection: reads(
    'list_records',
    'Use this to see stored records, including records that the API does not show.',
    '{items record}.',
  ),
  post_db_collection: changes(
    'add_record',
    'Use this for records that the API cannot create, such as users.',
    'Added {id}.',
    {
      body: 'record',
    },
  ),
  get_db_collection_id: reads('get_record', 'Use this to see a record as stored.', 'The record {id}.'),
  patch_db_collection_id: destroys(
    'change_record',
    'Use this for values that the API does not allow.',
    'Changed {id}.',
    { body: 'fields' },
  ),
  delete_db_collection_id: destroys(
    'delete_record',
    'Use this to delete a record without an API call.',
    'The record was deleted.',
  ),
  // Not "reads", because it opens the ports of sandboxes other than `default`.
  get_traffic: changes(
    'get_traffic',
    'Use this to open and find the ports of edges, and to see why a connection was allowed or blocked.',
    'Listening ports: {listeners}. {decisions decision}, newest first.',
    {
      brief: {
        decisions: [
          'id',
          'at',
          'edge',
          'verdict',
          'source_ip',
          'method',
          'path',
          'route',
          'status',
          'decided_by',
          'upstream',
          'failure',
          'rules',
          'explanation',
        ],
      },
    },
  ),
  post_traffic_check: reads(
    'check_traffic',
    'Use this to check whether an edge or the IP restrictions of a type allow an address.',
    '{verdict}. {explanation.text}',
  ),
  get_deliveries: reads(
    'list_deliveries',
    'Use this to see which events a change published, their destinations and their outcome.',
    '{deliveries delivery}, newest first, up to limit (default: 100).',
  ),
  get_sandboxes: reads('list_sandboxes', 'Use this to see which sandboxes exist.', 'Sandboxes: {sandboxes}.', {
    brief: { sandboxes: ['name', 'requests', 'seq'] },
  }),
  post_sandboxes: changes(
    'create_sandbox',
    'Use this to give each test its own state, clock, scenario and journal.',
    'The sandbox {name}: url {url}, bearer token {token}.',
  ),
  get_sandboxes_name: reads(
    'get_sandbox',
    'Use this to get its address and token.',
    'The sandbox {name}: url {url}, bearer token {token}.',
  ),
  delete_sandboxes_name: destroys('drop_sandbox', 'Use this when you no longer need it.', 'The sandbox was dropped.'),
}
