import { createApi } from '../api/app.ts'
import { performance } from '../basics/real-time.ts'
import { ApiError } from '../contract/errors.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { EventHub } from '../control/journal/event-hub.ts'
import { EventSender } from '../events/sender.ts'
import { announceLargeFiles } from '../files/document.ts'
import { version } from '../files/package.ts'
import type { SimulatorOptions } from '../options/options.ts'
import { dropIdleSandboxes } from '../registry/expiry.ts'
import { Launch } from '../registry/launch.ts'
import { Sandboxes } from '../registry/registry.ts'
import { RunReport } from '../report/counts.ts'
import type { Sandbox, SandboxEvent } from '../sandbox/index.ts'
import { Environment } from '../stand-in/environment.ts'
import { ControlPlane } from './control-plane.ts'
import { openDatabase } from './database.ts'
import { EdgeListeners } from './edge-listeners.ts'
import { Refusals } from './refusals.ts'
import { openServer } from './server.ts'
import { readSettings, type Settings } from './settings.ts'
import { openStandInFor } from './stand-in.ts'
import type { Hooks, Notice, Parts } from './types.ts'

export type Simulator = Awaited<ReturnType<typeof runSimulator>>

/** How each part that was opened is closed; the last opened is closed first. */
type Closing = (() => unknown)[]

/** Builds and connects everything, and listens. A start that fails closes what it had opened. */
export async function runSimulator(options: SimulatorOptions = {}, hooks: Hooks = {}, parts: Parts = {}) {
  const closing: Closing = []
  let closed: Promise<void> | undefined
  try {
    const simulator = await build(options, hooks, parts, closing)
    const close = () => {
      closed ??= closeAll(closing)
      return closed
    }
    return { ...simulator, close }
  } catch (error) {
    // The caller must know why the start failed, not what else failed afterwards.
    await closeAll(closing).catch(() => {})
    throw error
  }
}

/** Closes everything, also when a step fails; then it throws the first failure. */
async function closeAll(closing: Closing) {
  const failures: unknown[] = []
  for (const close of closing.reverse()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function build(given: SimulatorOptions, hooks: Hooks, parts: Parts, closing: Closing) {
  const startedAt = performance.now()
  const notify = (level: Notice['level'], text: string) => hooks.onNotice?.({ level, text })
  const warn = (text: string) => notify('warn', text)
  /** For errors that are bugs of ours. */
  const onDefect = (error: unknown) => notify('error', String((error as Error)?.stack ?? error))
  const settings = await readSettings(given)
  const { options } = settings

  const observers: ((event: SandboxEvent) => void)[] = []
  /** `live` is false when the sandbox was dropped before the event: another may have its name by now. */
  const emit = (event: SandboxEvent, live: boolean) => {
    if (live) {
      hub.publish(event)
      edges.onEvent(event)
    }
    for (const observe of observers) observe(event)
  }
  announceLargeFiles([options.fixture, options.db], text => notify('info', text))
  const sandboxes = new Sandboxes(await readLaunch(settings), {
    ...parts,
    most: options.maxSandboxes,
    ttl: options.sandboxTtl,
    emit,
    onDrop(sandbox) {
      hub.drop(sandbox.name)
      edges.drop(sandbox)
    },
    warn,
  })
  const hub = new EventHub()
  const { openFiles, edgeTimeouts } = parts
  const edges = new EdgeListeners(sandboxes, settings, { openFiles, edgeTimeouts, warn, onDefect })
  const touched = new RunReport({
    version,
    startedAt: settings.startedAt,
    wanted: settings.operations,
    sandboxes: () => sandboxes.made,
    rules: () => sandboxes.launch.usedRules().map(({ launched: _, ...rule }) => rule),
  })
  const report = () => touched.read()
  observers.push(event => touched.add(event))
  observers.push(event => hooks.onEvent?.(event))

  const database = await openDatabase(settings, sandboxes.launch, sandboxes.default, parts, warn)
  closing.push(() => database.close())
  closing.push(() => edges.close())
  await edges.open()

  const sender = new EventSender(settings.postEvent, onDefect)
  closing.push(() => sender.close())
  const publish = sender.publish.bind(sender)
  const service = { ...settings, sandboxes, publish, onDefect }
  const api = createApi(service)
  const refusals = new Refusals(warn)
  const apiAt = (baseUrl: string) => createApi({ ...service, baseUrl })
  const standIn = settings.standIn && (await openStandInFor(settings.standIn, settings, apiAt, { refusals, onDefect }))
  closing.push(() => standIn?.close(parts.closeMs))
  const health = () => ({ status: 'ok', version, uptime_ms: Math.round(performance.now() - startedAt) })
  const observe = (onEvent: (event: SandboxEvent) => void) => void observers.push(onEvent)
  const certificate = () => joined(settings.certificate ?? edges.certificate, standIn?.certificate)
  let environment: Environment | undefined
  const env = () => environment?.variables ?? {}
  const control = new ControlPlane({
    settings,
    sandboxes,
    observe,
    hub,
    edges,
    refusals,
    startedAt,
    report,
    health,
    onDefect,
    certificate,
    env,
  })
  const server = await openServer(settings, { api, control, health, refusals, onDefect }, parts.closeMs)
  closing.push(() => server.close())
  // Before the server, which waits for open connections: a stream of events is one.
  closing.push(() => hub.close())
  const isHeld = (sandbox: Sandbox) => hub.isRead(sandbox.name) || edges.isConnected(sandbox)
  if (options.sandboxTtl !== undefined)
    closing.push(
      dropIdleSandboxes(sandboxes, options.sandboxTtl, isHeld, data =>
        emit({ type: 'expired', sandbox: 'default', data }, true),
      ),
    )

  const token = sandboxes.tokenFor(sandboxes.default)
  const { tlsDir, controlToken } = options
  const trusted = { certificate: certificate(), tlsDir, standIn }
  environment = new Environment({ url: server.url, token, controlToken, ...trusted })
  closing.push(() => environment!.remove())

  return {
    ...server,
    /** A token of the launch fixture that works, an admin's if there is one; null when only hashes are known. */
    token,
    tokens: sandboxes.tokensOf(sandboxes.default),
    /** The PEM of our own certificates, for clients to trust: of the API or of edges, and of what we stand in for. */
    certificate: trusted.certificate,
    /** The variables by which other programs find us. */
    environment,
    standIn,
    /** The addresses of the edges at the start. */
    listeners: edges.listeners(sandboxes.default),
    /** The fingerprint of the certificate that the API is served with. */
    fingerprint: settings.fingerprint,
    /** Whether the database was created or resumed, in a sentence or two; only with `--db`. */
    database: database.description,
    /** What the database file holds; only with `--db`. */
    stored: database.stored,
    sandboxes,
    /** What was touched since the start. */
    report,
  }
}

const joined = (...texts: (string | undefined)[]) => texts.filter(text => text !== undefined).join('') || undefined

/** Reads the fixture and the scenario. */
const readLaunch = ({ launch }: Settings) =>
  Launch.read(launch).catch(error => {
    // An inline fixture or scenario has no file to name.
    throw error instanceof ApiError ? new SimulatorError('INVALID_OPTION', error.message) : error
  })
