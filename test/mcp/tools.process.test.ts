import { describe, expect, it } from 'vitest'
import { agentOf, type Told } from './agent.ts'

const CONTROL_TOKEN = 'control-token-of-this-test'
const agent = await agentOf(['--control-token', CONTROL_TOKEN, '--log', 'silent'])
const { tools } = await agent.client.listTools()

interface Step {
  tool: string
  given?: () => Record<string, unknown>
  /** What the short text says. */
  says: RegExp
  has?: Record<string, unknown>
}

const sandbox = { sandbox: 'mine' }
const key = { token: '', request: '' }

/** Run in order: later calls use what earlier ones created. */
const STEPS: Step[] = [
  {
    tool: 'simulator_info',
    says: /^edgesim \d+\.\d+\.\d+ serves the API at http:\/\/127\.0\.0\.1:\d+, with the fixture default\.$/,
  },
  {
    tool: 'describe_api',
    says: /^\d{2,} operations\./,
    has: { kinds: expect.arrayContaining([{ table: 'users', label: 'user', path: null, prefix: 'usr' }]) },
  },
  {
    tool: 'describe_operation',
    given: () => ({ operation: 'create_api_key' }),
    says: /^How to call it/,
    has: { paths: { '/api_keys': { post: expect.anything() } } },
  },
  { tool: 'run_report', says: /^0 requests; 0 of \d+ operations were called\./, has: { sandboxes: 1 } },
  { tool: 'list_assumptions', says: /^\d\d assumptions/ },
  { tool: 'list_scenarios', says: /^12 scenarios/ },
  {
    tool: 'create_sandbox',
    given: () => ({ name: 'mine', seed: 1 }),
    says: /^The sandbox mine: url http:\S+, bearer token sim_admin~mine\.$/,
  },
  {
    tool: 'get_sandbox',
    given: () => ({ name: 'mine' }),
    says: /^The sandbox mine: url http:\S+, bearer token sim_admin~mine\.$/,
  },
  { tool: 'list_sandboxes', says: /^Sandboxes: 2\.$/ },
  {
    tool: 'set_clock',
    given: () => ({ ...sandbox, now: '2026-05-01T00:00:00Z', frozen: true }),
    says: /^It is 2026-05-01T00:00:00\.000Z now\.$/,
  },
  { tool: 'get_clock', given: () => sandbox, says: /^It is 2026-05-01T/, has: { frozen: true } },
  { tool: 'save_snapshot', given: () => ({ ...sandbox, name: 'before' }), says: /^Kept as before\.$/ },
  { tool: 'list_snapshots', given: () => sandbox, says: /^1 snapshot\.$/ },
  { tool: 'compare_snapshot', given: () => ({ ...sandbox, name: 'before' }), says: /^0 records: .+ since before\.$/ },
  {
    tool: 'change_assumptions',
    given: () => ({ ...sandbox, changes: { page_order: 'oldest_first' } }),
    says: /^\d\d assumptions, with their values in this sandbox\./,
  },
  {
    tool: 'call_api',
    given: () => ({ ...sandbox, method: 'POST', path: '/api_keys', body: { description: 'made' } }),
    says: /^Status 201\. create_api_key: /,
    has: { body: { description: 'made', created_at: '2026-05-01T00:00:00Z' } },
  },
  {
    tool: 'list_requests',
    given: () => ({ ...sandbox, status: '2xx', limit: 5 }),
    says: /^1 request, newest first/,
    has: { requests: [{ operation: 'create_api_key', status: 201 }] },
  },
  {
    tool: 'list_deliveries',
    given: () => sandbox,
    says: /^0 deliveries, newest first/,
    has: { deliveries: [] },
  },
  {
    tool: 'explain_request',
    given: () => ({ id: key.request }),
    says: /^POST \/api_keys: 201\. create_api_key: /,
    has: { response: { body: { token: '[redacted]' } } },
  },
  {
    tool: 'verify_requests',
    given: () => ({ ...sandbox, operation: 'create_api_key', where: { 'body.description': 'made' }, count: 1 }),
    says: /^As expected\. Requests that match: 1\.$/,
  },
  {
    tool: 'check_scenario',
    given: () => ({ ...sandbox, scenario: { rules: [{ fault: { type: 'error', status: 503 } }] } }),
    says: /^The scenario is valid: 1 rule\.$/,
  },
  {
    tool: 'use_scenario',
    given: () => ({ ...sandbox, scenario: { name: 'outage' } }),
    says: /^The scenario outage is in use, with \d rules\./,
  },
  { tool: 'get_scenario', given: () => sandbox, says: /^Scenario: outage\. Rules: \d\.$/ },
  { tool: 'end_scenario', given: () => sandbox, says: /^No scenario is in use\.$/ },
  { tool: 'resume_clock', given: () => sandbox, says: /^Time is real again: 20/ },
  {
    tool: 'list_records',
    given: () => ({ ...sandbox, collection: 'users', _where: { admin: { eq: true } } }),
    says: /^1 record\.$/,
    has: { items: 1, data: [{ id: 'usr_admin' }] },
  },
  {
    tool: 'add_record',
    given: () => ({ ...sandbox, collection: 'users', record: { id: 'usr_ada', name: 'Ada' } }),
    says: /^Added usr_ada\.$/,
  },
  {
    tool: 'change_record',
    given: () => ({ ...sandbox, collection: 'users', id: 'usr_ada', fields: { admin: true } }),
    says: /^Changed usr_ada\.$/,
    has: { admin: true, name: 'Ada' },
  },
  {
    tool: 'get_record',
    given: () => ({ ...sandbox, collection: 'users', id: 'usr_ada' }),
    says: /^The record usr_ada\.$/,
    has: { admin: true },
  },
  {
    tool: 'delete_record',
    given: () => ({ ...sandbox, collection: 'users', id: 'usr_ada' }),
    says: /^It is removed\.$/,
  },
  {
    tool: 'get_state',
    given: () => sandbox,
    says: /^All records/,
    has: { api_keys: expect.arrayContaining([expect.objectContaining({ description: 'made' })]) },
  },
  { tool: 'get_traffic', given: () => sandbox, says: /^Ports that listen: 0; 0 decisions/ },
  { tool: 'check_traffic', given: () => ({ ...sandbox, type: 'api', source_ip: '192.0.2.7' }), says: /^allow\. / },
  { tool: 'rewind', given: () => ({ ...sandbox, id: key.request }), says: /^The state is as it was/ },
  {
    tool: 'restore_snapshot',
    given: () => ({ ...sandbox, name: 'before' }),
    says: /^The state is what the snapshot kept\.$/,
  },
  { tool: 'delete_snapshot', given: () => ({ ...sandbox, name: 'before' }), says: /^It is forgotten\.$/ },
  {
    tool: 'set_state',
    given: () => ({ ...sandbox, state: { users: [{ id: 'usr_only' }] } }),
    says: /^The state is replaced\.$/,
  },
  { tool: 'clear_requests', given: () => sandbox, says: /^The journal is empty\.$/ },
  { tool: 'reset', given: () => sandbox, says: /^The sandbox is as it was created\.$/ },
  { tool: 'drop_sandbox', given: () => ({ name: 'mine' }), says: /^It is dropped\.$/ },
]

const annotationsOf = (name: string) => tools.find(tool => tool.name === name)!.annotations!

/** Everything that a tool could change. */
const world = async () => {
  const parts = ['get_state', 'get_scenario', 'list_snapshots', 'list_requests']
  const told = await Promise.all([...parts.map(name => agent.call(name, sandbox)), agent.call('list_sandboxes')])
  return told.map(({ data }) => data)
}

interface Result extends Step {
  told: Told
  before: unknown
  after: unknown
}

async function runSteps(): Promise<Result[]> {
  const done: Result[] = []
  for (const step of STEPS) {
    const before = await world()
    const told = await agent.call(step.tool, step.given?.() ?? {})
    done.push({ ...step, told, before, after: await world() })
    if (step.tool === 'call_api') Object.assign(key, { token: told.data.body.token, request: told.data.id })
  }
  return done
}

const results = await runSteps()

describe('The tools', () => {
  it.each(results)('include $tool, which works', ({ tool, says, has, told, before, after }) => {
    expect(told.isError, told.text).toBe(false)
    expect(told.text).toMatch(says)
    if (has) expect(told.data).toMatchObject(has)
    if (annotationsOf(tool).readOnlyHint) expect(after).toEqual(before)
  })

  it('are all tested here, each with description, schema and annotations', () => {
    expect(STEPS.map(({ tool }) => tool).sort()).toEqual(tools.map(({ name }) => name).sort())
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description, name).toMatch(/^[A-Z].+\. Use it .+\.$/)
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(annotations, name).toMatchObject({ openWorldHint: false })
      expect(annotations!.readOnlyHint && annotations!.destructiveHint, name).toBe(false)
    }
    expect(annotationsOf('reset')).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(annotationsOf('create_sandbox')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(annotationsOf('get_traffic')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(annotationsOf('explain_request')).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  })

  it('have short descriptions', () => {
    expect(JSON.stringify(tools).length).toBeLessThan(30_000)
  })

  it('return a short text first, then the same data as text and as data', async () => {
    const { content, structuredContent } = await agent.client.callTool({ name: 'get_clock', arguments: {} })
    const [short, whole, ...more] = content as { type: string; text: string }[]
    expect(more).toEqual([])
    expect(short!.text).toMatch(/^It is 20/)
    expect(JSON.parse(whole!.text)).toEqual(structuredContent)
  })

  it('never return a control token, and return a key only from the call that created it', async () => {
    expect(key.token).toMatch(/^\w{20,}~mine$/)
    const secret = key.token.split('~')[0]!
    expect(results.filter(({ told }) => told.raw.includes(secret)).map(({ tool }) => tool)).toEqual(['call_api'])
    for (const { uri } of (await agent.client.listResources()).resources) {
      const text = JSON.stringify(await agent.client.readResource({ uri }))
      expect(text, uri).not.toContain(CONTROL_TOKEN)
    }
    for (const { told, tool } of results) expect(told.raw, tool).not.toContain(CONTROL_TOKEN)
    expect(agent.printed.err).not.toContain(CONTROL_TOKEN)
    expect(agent.printed.err).not.toContain(secret)
  })
})
