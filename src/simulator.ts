import { existsSync, realpathSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi } from './api/app.ts'
import { createControl } from './control/app.ts'
import { EventHub } from './control/event-hub.ts'
import { inlineDocument, readDocument, type SourceDocument } from './files/document.ts'
import { NamedFiles } from './files/named-files.ts'
import { type Fixture, type LaunchToken, readFixture } from './fixtures/index.ts'
import { guard } from './guard.ts'
import { checkExposure, close, createHttpServer, listenOn, rawSocket } from './http-server.ts'
import type { SimulatorOptions } from './options.ts'
import type { SandboxEvent } from './sandbox/index.ts'
import { Sandboxes } from './sandboxes.ts'
import { readScenario } from './scenarios/index.ts'
import { parseTime } from './schema/index.ts'
import { type FileCalls, FileStore, keep, type Store, TemporaryStore } from './store/index.ts'
import { version } from './version.ts'

/** Something worth telling whoever watches the simulator. The command line prints it; the library hands it on. */
export interface Notice {
  level: 'info' | 'warn' | 'error'
  text: string
}

export interface Hooks {
  onNotice?(notice: Notice): void
  onEvent?(event: SandboxEvent): void
}

/** What tests put in the place of the real thing. */
export interface Parts {
  files?: FileCalls
  /** Bytes of log from which on the database file is rewritten. */
  compactAt?: number
  /** How long closing waits for connections that are in use. */
  closeMs?: number
}

export interface Simulator {
  url: string
  port: number
  /** A token of the launch fixture that works, an admin's if there is one; null when none can be told. */
  token: string | null
  tokens: readonly LaunchToken[]
  /** Of one that serves HTTPS. */
  certificate: string | undefined
  sandboxes: Sandboxes
  /** The files behind the launch fixture and scenario, where they are files. */
  files: { fixture?: string; scenario?: string }
  /** Reads the file again and takes it up; one that does not fit changes nothing. */
  reload(what: 'fixture' | 'scenario'): Promise<void>
  close(): Promise<void>
}

/** The one way to start: builds everything, wires it, listens. */
export async function startSimulator(
  options: SimulatorOptions = {},
  hooks: Hooks = {},
  parts: Parts = {},
): Promise<Simulator> {
  const startedAt = performance.now()
  checkExposure(options.host, options.controlToken)
  const vendor = options.vendor ?? 'service'
  const notice = (level: Notice['level'], text: string) => hooks.onNotice?.({ level, text })
  const onDefect = (error: unknown) =>
    notice('error', error instanceof Error ? (error.stack ?? error.message) : String(error))

  const fixtures = shelfOf('fixtures', options.fixturesDir)
  const scenarios = shelfOf('scenarios', options.scenariosDir)
  const files = {
    fixture: fileOf(options.fixture ?? 'default', fixtures),
    scenario: options.scenario === undefined ? undefined : fileOf(options.scenario, scenarios),
  }
  checkDatabase(options.db, files.fixture)
  for (const file of [files.fixture, options.db]) {
    if (file !== undefined && sizeOf(file) > LONG_BYTES)
      notice('info', `reading ${file} (${megabytes(sizeOf(file))} MB) …`)
  }
  const clock = options.clock === undefined ? undefined : { now: parseTime(options.clock)!, frozen: true }
  const now = clock?.now ?? Date.now()
  const readLaunchFixture = async () =>
    readFixture(await documentOf('fixture', options.fixture ?? 'default', files.fixture), now)
  const fixture = await readLaunchFixture()
  const readLaunchScenario = async ({ rows }: Fixture) =>
    options.scenario === undefined
      ? undefined
      : readScenario(await documentOf('scenario', options.scenario, files.scenario), { rows, fixtures, now })
  const scenario = await readLaunchScenario(fixture)
  for (const note of fixture.notes) notice('warn', note)
  const seed = options.seed === undefined ? undefined : String(options.seed)
  const events = new EventHub()
  const sandboxes = new Sandboxes(
    {
      fixture,
      scenario,
      fixtures,
      scenarios,
      flags: { assumed: options.assume ?? {}, seed, clock },
      maxSandboxes: options.maxSandboxes ?? 10_000,
      startedAt: now,
    },
    event => {
      events.publish(event)
      hooks.onEvent?.(event)
    },
  )

  const store = openStore(options, parts, text => notice('warn', text))
  const warnings = await keep(store, sandboxes.default, { fresh: options.fresh })
  for (const text of warnings) notice('warn', text)

  const { baseUrl, trustProxy = false } = options
  const api = createApi({ sandboxes, vendor, trustProxy, baseUrl, rawSocket, onDefect })
  const control = createControl(
    {
      sandboxes,
      events,
      version,
      vendor,
      startedAt,
      pageFolder: join(packageFolder(), 'dist/page'),
      url: origin => baseUrl ?? origin,
      info: () => ({
        fixture: nameOf(options.fixture ?? 'default'),
        scenario: options.scenario === undefined ? null : nameOf(options.scenario),
        tokens: sandboxes.tokensOf(sandboxes.default),
        options: shownOptions(options),
      }),
    },
    onDefect,
  )
  const guardOptions = {
    allowedHosts: options.allowedHost ?? [],
    cors: options.cors ?? [],
    controlToken: options.controlToken,
  }

  const onRequest = (req: IncomingMessage, res: ServerResponse) => {
    try {
      const target = guard(req, res, guardOptions)
      if (!target) return
      if (target.control) control.handle(req, res, target.path, target.search)
      else if (target.path === '/' && isBrowser(req)) res.writeHead(302, { Location: '/_sim/' }).end()
      else api.handle(req, res, target.path, target.search)
    } catch (error) {
      control.refuse(res, error)
    }
  }

  const tls = options.tls ? await (await import('./certificate.ts')).makeCertificate() : undefined
  const make = () => createHttpServer({ classes: api.classes, vendor, onRequest, tls })
  const { servers, port } = await listenOn(make, options.host, options.port ?? 0).catch(async error => {
    await store.close()
    throw error
  })
  let closing: Promise<void> | undefined
  return {
    url: `${tls ? 'https' : 'http'}://${reachable(options.host)}:${port}`,
    port,
    token: sandboxes.tokenFor(sandboxes.default),
    tokens: sandboxes.tokensOf(sandboxes.default),
    certificate: tls?.cert,
    sandboxes,
    files,
    async reload(what) {
      if (what === 'fixture') sandboxes.relaunch({ fixture: await readLaunchFixture() })
      else sandboxes.relaunch({ scenario: await readLaunchScenario(sandboxes.launch.fixture) })
    },
    close() {
      if (!closing) {
        events.close()
        closing = close(servers, parts.closeMs).then(() => store.close())
      }
      return closing
    },
  }
}

/** Somebody who opened the address to look at it; any other client is told what the API says. */
const isBrowser = (req: IncomingMessage) => req.method === 'GET' && req.headers.accept?.includes('text/html') === true

function shownOptions({ controlToken, fixture: _fixture, ...options }: SimulatorOptions) {
  return { ...options, ...(controlToken ? { controlToken: '[set]' } : {}) }
}

/** The package's own fixtures stand beside the bundle's folder, or beside src. */
export const packageFolder = () => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

const nameOf = (given: string | object) => (typeof given === 'string' ? given : 'inline')

/** What can be asked for by name: the files of a folder of one's own, and the package's. */
export const shelfOf = (kind: 'fixtures' | 'scenarios', folder: string | undefined) =>
  new NamedFiles([folder ?? [], join(packageFolder(), kind)].flat())

/** By name on the shelf, or by path. */
const fileOf = (given: string | object, shelf: NamedFiles) =>
  typeof given === 'string' ? (shelf.find(given) ?? given) : undefined

async function documentOf(what: string, given: unknown, file: string | undefined): Promise<SourceDocument> {
  return file === undefined ? inlineDocument(given, what) : readDocument(file)
}

/** Who watches should know why nothing happens for a while. */
const LONG_BYTES = 5_000_000
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
const megabytes = (bytes: number) => Math.round(bytes / 1e6)

/** A fixture is never written to. */
function checkDatabase(db: string | undefined, fixture: string | undefined) {
  if (db === undefined || fixture === undefined || !existsSync(db) || !existsSync(fixture)) return
  if (realpathSync(db) !== realpathSync(fixture)) return
  const why = `${fixture} is the fixture, which is never written to; give --db a file of its own (it is made and seeded from the fixture)`
  throw new SameFile(why)
}

export class SameFile extends Error {
  override name = 'SameFile'
}

/** Where a client on this machine finds what listens on that address. */
function reachable(host = '127.0.0.1'): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function openStore(
  { db, durability = 'log' }: SimulatorOptions,
  parts: Parts,
  onWarning: (text: string) => void,
): Store {
  const options = { calls: parts.files, compactAt: parts.compactAt, onWarning }
  return db === undefined ? new TemporaryStore(options) : new FileStore(db, { ...options, durability })
}
