import { RunReport } from '../control/report/counts.ts'
import type { Sandboxes } from '../engine/launch/registry.ts'
import type { PluginContext, ServedApi } from '../engine/plugin.ts'
import { createApi } from '../server/api/app.ts'
import { ControlPlane } from './control-plane.ts'
import { openDatabase } from './database.ts'
import { Observers } from './observers.ts'
import { Opened } from './opened.ts'
import type { SimulatorOptions } from './options/options.ts'
import { Refusals } from './refusals.ts'
import { createSandboxes, expireSandboxes } from './sandboxes.ts'
import { closeWithGrace, openServer } from './server.ts'
import { makeCertificate, readSettings, type Settings } from './settings.ts'
import { Environment } from './stand-in/environment.ts'
import { openStandInFor } from './stand-in.ts'
import type { Hooks, Notice, Notices, Parts } from './types.ts'

export type Simulator = Awaited<ReturnType<typeof runSimulator>>

/** Creates and connects all parts, and listens. If that fails, closes the parts that are open. */
export async function runSimulator(
  options: SimulatorOptions & { api?: ServedApi } = {},
  hooks: Hooks = {},
  parts: Parts = {},
) {
  const opened = new Opened()
  try {
    const simulator = await build(options, hooks, parts, opened)
    return { ...simulator, close: () => opened.close() }
  } catch (error) {
    // Report why startup failed, not errors from closing.
    await opened.close().catch(() => {})
    throw error
  }
}

async function build(given: SimulatorOptions & { api?: ServedApi }, hooks: Hooks, parts: Parts, opened: Opened) {
  const notices = noticesOf(hooks)
  const { onDefect } = notices
  const settings = await readSettings(given)
  const { options } = settings
  const observers = new Observers()
  const sandboxes = await createSandboxes(settings, observers, parts, notices)
  const coverage = observers.add(new RunReport(settings, sandboxes))
  observers.add({ onEvent: event => hooks.onEvent?.(event) })
  const database = opened.add(await openDatabase(settings, sandboxes, parts, notices))
  const plugin = await settings.api.plugin?.(pluginContext(settings, sandboxes, parts, notices))
  if (plugin) observers.add(opened.add(plugin))
  await plugin?.open?.()

  const service = { ...settings, sandboxes, publish: plugin?.publish, settled: plugin?.settled, onDefect }
  const reporting = { refusals: new Refusals(notices.warn), onDefect }
  const close = closeWithGrace(settings, sandboxes, notices)
  const apiAt = (baseUrl: string) => createApi({ ...service, baseUrl })
  const standIn = opened.add(await openStandInFor(settings, apiAt, reporting, close))
  const certificate = () => joined(settings.certificate ?? plugin?.certificate, standIn?.certificate)
  const control = observers.add(new ControlPlane({ settings, sandboxes, plugin, coverage, certificate, ...reporting }))
  const server = opened.add(await openServer(settings, { api: createApi(service), control, ...reporting }, close))
  // Closed before the server, which waits for open connections such as event streams.
  opened.add(control)
  const isHeld = (sandbox: typeof sandboxes.default) => control.isRead(sandbox) || plugin?.isUsing?.(sandbox) === true
  opened.add(expireSandboxes(sandboxes, options, observers, isHeld))

  const token = sandboxes.tokenFor(sandboxes.default)
  const { tlsDir, controlToken } = options
  const trusted = { certificate: certificate(), tlsDir, standIn }
  const environment = opened.add(new Environment({ url: server.url, token, controlToken, ...trusted }))
  control.environment = environment

  return {
    ...server,
    /** A working token of the launch fixture, preferably an admin's. Null if only hashes are known. */
    token,
    api: settings.apiInfo,
    tokens: sandboxes.tokensOf(sandboxes.default),
    /** The PEM that clients must trust: for the API or edges, and for stand-in hosts. */
    certificate: trusted.certificate,
    /** The environment variables for clients. */
    environment,
    standIn,
    /** The addresses of listeners at startup. */
    listeners: plugin?.listeners?.(sandboxes.default) ?? [],
    /** The fingerprint of the API's certificate. */
    fingerprint: settings.fingerprint,
    /** Whether the database was created or resumed, in a sentence or two. Only with `--db`. */
    database: database.description,
    /** The content of the database file. Only with `--db`. */
    stored: database.stored,
    sandboxes,
    /** The coverage since startup. */
    report: () => coverage.read(),
  }
}

function pluginContext(
  { vendor, options, tls }: Settings,
  sandboxes: Sandboxes,
  { openFiles, listenerTimeouts }: Parts,
  { warn, onDefect }: Notices,
): PluginContext {
  const certificate = async () => tls ?? makeCertificate({})
  return { sandboxes, vendor, options, certificate, warn, onDefect, openFiles, listenerTimeouts }
}

const joined = (...texts: (string | undefined)[]) => texts.filter(text => text !== undefined).join('') || undefined

function noticesOf({ onNotice }: Hooks): Notices {
  const notify = (level: Notice['level']) => (text: string) => onNotice?.({ level, text })
  const error = notify('error')
  return {
    info: notify('info'),
    warn: notify('warn'),
    onDefect: thrown => error(String((thrown as Error)?.stack ?? thrown)),
  }
}
