import { createApi } from '../api/app.ts'
import { performance } from '../basics/real-time.ts'
import { EventHub } from '../control/journal/event-hub.ts'
import { version } from '../files/package.ts'
import type { SimulatorOptions } from '../options/options.ts'
import type { Sandbox } from '../sandbox/index.ts'
import { Closing } from './closing.ts'
import { ControlPlane } from './control-plane.ts'
import { openDatabase } from './database.ts'
import { EdgeListeners } from './edge-listeners.ts'
import { Events } from './events.ts'
import { type Hooks, Notices } from './hooks.ts'
import { Refusals } from './refusals.ts'
import { expireSandboxes, openSandboxes } from './sandboxes.ts'
import { openServer } from './server.ts'
import { readSettings } from './settings.ts'
import type { Parts, Simulator } from './types.ts'

/** Builds and connects everything, and listens. A start that fails closes what it had opened. */
export async function runSimulator(options: SimulatorOptions = {}, hooks: Hooks = {}, parts: Parts = {}) {
  const closing = new Closing()
  try {
    return await build(options, hooks, parts, closing)
  } catch (error) {
    // The caller must know why the start failed, not what else failed afterwards.
    await closing.close().catch(() => {})
    throw error
  }
}

async function build(given: SimulatorOptions, hooks: Hooks, parts: Parts, closing: Closing): Promise<Simulator> {
  const startedAt = performance.now()
  const notices = new Notices(hooks)
  const { warn, defect: onDefect } = notices
  const settings = await readSettings(given)

  const events = new Events()
  const sandboxes = await openSandboxes(settings, events, parts, notices)
  const hub = new EventHub()
  const edges = new EdgeListeners(sandboxes, settings, parts, notices)
  events.subscribe({ onEvent: (event, live) => live && hub.publish(event), onDrop: ({ name }) => hub.drop(name) })
  events.subscribe(edges)
  events.subscribe({ onEvent: event => hooks.onEvent?.(event) })

  const database = await openDatabase(settings, sandboxes.launch, sandboxes.default, parts, warn)
  closing.add(() => database.close())
  closing.add(() => edges.close())
  await edges.open()

  const api = createApi({ ...settings, sandboxes, onDefect })
  const refusals = new Refusals(warn)
  const health = () => ({ status: 'ok', version, uptime_ms: Math.round(performance.now() - startedAt) })
  const dependencies = { settings, sandboxes, events, hub, edges, refusals, startedAt, health, onDefect }
  const destinations = { api, control: new ControlPlane(dependencies), health, refusals, onDefect }
  const server = await openServer(settings, destinations, parts.closeMs)
  closing.add(() => server.close())
  // Before the server, which waits for open connections: a stream of events is one.
  closing.add(() => hub.close())
  const isHeld = (sandbox: Sandbox) => hub.isRead(sandbox.name) || edges.isConnected(sandbox)
  const expiry = expireSandboxes(settings, sandboxes, events, isHeld, notices)
  closing.add(() => expiry.close())

  return {
    ...server,
    token: sandboxes.tokenFor(sandboxes.default),
    tokens: sandboxes.tokensOf(sandboxes.default),
    certificate: settings.certificate ?? edges.certificate,
    listeners: edges.listeners(sandboxes.default),
    fingerprint: settings.fingerprint,
    database: database.description,
    stored: database.stored,
    sandboxes,
    files: sandboxes.launch.files,
    reload: what => sandboxes.relaunch(what),
    close: () => closing.close(),
  }
}
