import { describe, expect, it } from 'vitest'
import type { Plugin, PluginContext, ServedApi } from '../../src/engine/plugin.ts'
import { connect, startSimulator } from '../../src/library/start.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { afterwards } from '../support/afterwards.ts'
import { callsOf } from '../support/http.ts'
import { tiny } from './tiny-api.ts'

async function start({ api = tiny, ...options }: { api?: ServedApi; fixture?: object } = {}) {
  const running = await runSimulator({ api, ...options } as Parameters<typeof runSimulator>[0])
  afterwards(() => running.close())
  const sim = await connect(running.url)
  const { call: send } = callsOf({ url: sim.url, token: null })
  const call = (method: string, path: string, body?: unknown, sandbox?: string) =>
    send(method, path, body, sandbox ? { headers: { 'edgesim-sandbox': sandbox } } : {})
  return { sim, call, running }
}

describe('An API of two resources', () => {
  it('creates, reads, lists, updates and deletes', async () => {
    const { call } = await start()
    const project = await call('POST', '/projects', { name: 'Home' })
    expect(project).toMatchObject({ status: 201, body: { id: 1, name: 'Home' } })
    const task = await call('POST', '/tasks', { project_id: 1, title: 'Paint' })
    expect(task).toMatchObject({ status: 201, body: { id: 1, project_id: 1, title: 'Paint', state: 'open' } })
    expect(await call('GET', '/tasks/1')).toMatchObject({ status: 200, body: { id: 1 } })
    await call('POST', '/tasks', { project_id: 1, title: 'Clean' })
    await call('POST', '/tasks', { project_id: 1, title: 'Cook' })
    expect((await call('GET', '/tasks?limit=1&offset=1')).body).toMatchObject({ items: [{ id: 2 }], total: 3 })
    expect((await call('GET', '/tasks?project_id=1')).body.items).toHaveLength(3)
    expect(await call('PATCH', '/tasks/1', { state: 'done' })).toMatchObject({ status: 200, body: { state: 'done' } })
    expect(await call('DELETE', '/projects/1')).toMatchObject({ status: 204 })
    expect((await call('GET', '/tasks')).body).toMatchObject({ items: [], total: 0 })
  })

  it('clears a field with null, and stores an empty string', async () => {
    const { call } = await start({ fixture: { projects: [{ id: 1, name: 'Home' }] } })
    await call('POST', '/tasks', { project_id: 1, title: 'Paint' })
    expect((await call('PATCH', '/tasks/1', { title: '' })).body.title).toBe('')
    expect((await call('PATCH', '/tasks/1', { title: null, state: null })).body).toMatchObject({ state: 'open' })
    expect((await call('GET', '/tasks/1')).body).not.toHaveProperty('title')
    expect(await call('PATCH', '/tasks/1', { project_id: null })).toMatchObject({ status: 400 })
  })

  it('tells records of two kinds with one id apart', async () => {
    const fixture = { projects: [{ id: 1, name: 'Home' }], tasks: [{ id: 1, project_id: 1 }] }
    const { sim, call } = await start({ fixture })
    await call('DELETE', '/tasks/1')
    expect((await call('GET', '/projects/1')).status).toBe(200)
    await call('GET', '/tasks/1')
    const [latest] = await sim.default.requests()
    expect(latest!.explanation!.text).toContain('It was deleted by op_')
    await call('DELETE', '/projects/1')
    await call('GET', '/projects/1')
    const [gone, deleted] = await sim.default.requests()
    expect(gone!.explanation!.text).toContain(`It was deleted by ${deleted!.id}`)
  })

  it('needs no token in the start message, the report and calls', async () => {
    const { call } = await start()
    await call('GET', '/projects/7')
    const message = 'Project 7 not found.'
    expect((await call('GET', '/_sim/report')).body.errors).toEqual([{ code: '404', count: 1, message }])
    const { api } = (await call('GET', '/_sim/info')).body
    const first = { operation: 'list_projects', method: 'GET', path: '/projects' }
    expect(api).toEqual({ name: 'tiny', tokens: false, headers: {}, first })
    const called = await call('POST', '/_sim/call', { path: '/projects/7', token: null })
    expect(called.body.summary).toContain(message)
  })

  it('returns its own errors', async () => {
    const { call } = await start()
    const body = { error: { type: 'client' } }
    expect(await call('GET', '/projects/7')).toMatchObject({ status: 404, body })
    expect(await call('POST', '/tasks', { project_id: 9 })).toMatchObject({ status: 400, body })
    expect(await call('POST', '/projects', { nam: 'x' })).toMatchObject({ status: 400, body })
    expect((await call('GET', '/project')).body.error.text).toContain('/projects')
  })

  it('has fixtures, scenarios, sandboxes, reset, rewind, verify, explanations, OpenAPI and dashboard data', async () => {
    const fixture = { projects: [{ id: 1, name: 'Home' }], tasks: [{ id: 1, project_id: 1, title: 'Paint' }] }
    const { sim, call } = await start({ fixture })
    const box = await sim.sandbox('one')
    const when = { operation: 'create_task' as never, calls: 1 }
    await box.useScenario({ rules: [{ when, fault: { type: 'error', status: 503 } }] })
    const create = () => call('POST', '/tasks', { project_id: 1, title: 'a' }, 'one')
    expect(await create()).toMatchObject({ status: 503, body: { error: { type: 'server' } } })
    expect(await create()).toMatchObject({ status: 201, body: { id: 2 } })
    expect((await call('GET', '/tasks')).body.total).toBe(1)
    expect(await box.verify({ operation: 'create_task' as never, count: 2 })).toHaveLength(2)
    const [latest] = await box.requests({ operation: 'create_task' as never })
    expect(latest!.explanation!.text).toContain('Executed as change 1')
    await box.rewind(latest!.id)
    expect((await call('GET', '/tasks', undefined, 'one')).body.total).toBe(1)
    await box.snapshot('s')
    await call('DELETE', '/tasks/1', undefined, 'one')
    await box.restore('s')
    expect(await box.state()).toMatchObject({ tasks: [{ title: 'Paint' }] })
    await box.reset()
    const openapi = (await call('GET', '/_sim/openapi.json')).body
    expect(Object.keys(openapi.paths)).toEqual(['/projects', '/projects/{id}', '/tasks', '/tasks/{id}'])
    const { kinds } = (await call('GET', '/_sim/resources')).body
    expect(kinds.map(({ table }: { table: string }) => table)).toEqual(['projects', 'tasks'])
    expect((await call('GET', '/_sim/report')).body.coverage.of).toBe(10)
    const wrong = { projects: [{ id: 1, name: 'Home' }], tasks: [{ id: 1, project_id: 2, titel: 'Paint' }] }
    await expect(start({ fixture: wrong })).rejects.toThrow(/titel/)
    expect((await call('GET', '/_sim/db/tasks')).body).toHaveLength(1)
  })

  it('keeps the headers that it calls secret out of the journal', async () => {
    const { sim } = await start({ api: { ...tiny, secretHeaders: ['x-key'] } })
    await fetch(`${sim.url}/projects`, { headers: { 'x-key': 'hidden', 'x-other': 'shown' } })
    const [entry] = await sim.default.requests()
    expect(entry!.request.headers).toMatchObject({ 'x-key': '[redacted]', 'x-other': 'shown' })
  })

  it('opens its plugin before the server, tells it every change, and closes it', async () => {
    const seen: string[] = []
    const plugin = async ({ sandboxes }: PluginContext): Promise<Plugin> => ({
      async open() {
        seen.push(`open ${sandboxes.default.name}`)
      },
      onEvent({ type, sandbox }) {
        if (type === 'change') seen.push(`change in ${sandbox}`)
      },
      async close() {
        seen.push('close')
      },
    })
    const { call, running } = await start({ api: { ...tiny, plugin } })
    await call('POST', '/projects', { name: 'Home' })
    await running.close()
    expect(seen).toEqual(['open default', 'change in default', 'close'])
    expect((await fetch(`${running.url}/projects`).catch(error => error)).status).toBeUndefined()
  })

  it('has no routes for traffic without a plugin that reports it', async () => {
    const { call } = await start()
    expect((await call('GET', '/_sim/traffic')).status).toBe(404)
  })

  it('runs next to the built-in API in one process', async () => {
    const [{ call }, builtIn] = await Promise.all([start(), startSimulator()])
    afterwards(() => builtIn.close())
    expect((await call('GET', '/projects')).status).toBe(200)
    expect((await fetch(`${builtIn.url}/projects`)).status).toBe(404)
  })
})
