import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { createApi } from '../api/app.ts'
import { parseDurationRange } from '../basics/duration.ts'
import { performance, wallClock } from '../basics/real-time.ts'
import type { Assumed } from '../contract/assumptions.ts'
import { ApiError } from '../contract/errors.ts'
import { INSTANCE_HEADER, versionHeader } from '../contract/names.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import type { ListenerReport } from '../contract/traffic.ts'
import type { createControl } from '../control/app.ts'
import { EventHub } from '../control/journal/event-hub.ts'
import { announceLong } from '../files/announce-long.ts'
import { namedFiles } from '../files/named-files.ts'
import { packageFolder, version } from '../files/package.ts'
import type { LaunchToken } from '../fixtures/index.ts'
import { addressesOf, addressOf, checkExposure, close, createHttpServer, listenOn } from '../http/server.ts'
import { completeOptions, type SimulatorOptions, shown, shownOptions } from '../options/options.ts'
import type { SandboxEvent } from '../sandbox/index.ts'
import { IdleSandboxes } from '../sandboxes/expiry.ts'
import { Launch } from '../sandboxes/launch.ts'
import { Sandboxes } from '../sandboxes/registry.ts'
import { parseTime } from '../schema/index.ts'
import { attachStore, countRecords, describeDatabase, type FileCalls, openStore, whyUnusable } from '../store/index.ts'
import { Ports } from './edge-listeners.ts'
import { createRequestHandler } from './front-door.ts'
import { instanceOf } from './instance.ts'

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
  /** What all sandboxes together may keep of the past. */
  journalBytes?: number
  /** What their snapshots may take. */
  snapshotBytes?: number
  /** What `--sandbox-ttl` goes by, in milliseconds. */
  now?: () => number
  /** How long closing waits for connections that are in use. */
  closeMs?: number
  /** How many files and sockets the process may have open. */
  openFiles?: number
}

export interface Stored {
  file: string
  records: number
  /** Since the start. */
  changes: number
}

export interface Simulator {
  url: string
  port: number
  /** A token of the launch fixture that works, an admin's if there is one; null when none can be told. */
  token: string | null
  tokens: readonly LaunchToken[]
  /** The PEM of a self-signed certificate, for clients to trust: of the API or of HTTPS edges. */
  certificate: string | undefined
  /** Where edges listen at the start. */
  listeners: ListenerReport[]
  /** Of the certificate that it serves HTTPS with. */
  fingerprint: string | undefined
  /** Where else it listens, if it does so on all interfaces. */
  otherUrls(): string[] | undefined
  /** What became of the database file, in a sentence or two; only set with one. */
  database: string | undefined
  /** What is in the database file when it is closed, if there is one. */
  stored(): Stored | undefined
  sandboxes: Sandboxes
  /** The files behind the launch fixture and scenario, where they are files. */
  files: { fixture?: string; scenario?: string }
  /** Reads the file again and puts it to use; one that does not fit changes nothing. */
  reload(what: 'fixture' | 'scenario'): Promise<void>
  /** False when a defect has left a change half made: memory and disk may differ. */
  isSound(): boolean
  close(): Promise<void>
}

/** Builds everything, wires it, and listens. */
export async function runSimulator(
  given: SimulatorOptions = {},
  hooks: Hooks = {},
  parts: Parts = {},
): Promise<Simulator> {
  const startedAt = performance.now()
  const options = completeOptions(given)
  const { vendor, baseUrl, db, host, controlToken, trustProxy } = options
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  const instance = instanceOf(options)
  checkExposure(host, controlToken)
  const wantsTls = options.tls || [options.tlsDir, options.tlsCert, options.tlsKey].some(given => given !== undefined)
  const tls = wantsTls ? await (await import('../http/certificate.ts')).certificateFor(options) : undefined
  const certificate = tls?.selfSigned ? tls.cert : undefined
  const notice = (level: Notice['level'], text: string) => hooks.onNotice?.({ level, text })
  const onDefect = (error: unknown) =>
    notice('error', error instanceof Error ? (error.stack ?? error.message) : String(error))

  const clock = options.clock === undefined ? undefined : { now: parseTime(options.clock)!, frozen: true }
  const seed = options.seed === undefined ? undefined : String(options.seed)
  announceLong([options.fixture, db], text => notice('info', text))
  const launch = await Launch.read({
    fixture: options.fixture,
    scenario: options.scenario,
    fixtures: namedFiles('fixtures', options.fixturesDir),
    scenarios: namedFiles('scenarios', options.scenariosDir),
    flags: { assumed: (options.assume ?? {}) as Assumed, seed, clock },
    now: wallClock(),
    fingerprint: db !== undefined,
  }).catch(error => {
    // Of an inline fixture or scenario: there is no file to name.
    throw error instanceof ApiError ? new SimulatorError('INVALID_OPTION', error.message) : error
  })

  const events = new EventHub()
  const ports = new Ports({
    vendor,
    allowUpstream: options.allowUpstream ?? [],
    certificate: async () => tls ?? (await import('../http/certificate.ts')).certificateFor({}),
    warn: text => notice('warn', text),
    onDefect,
    openFiles: parts.openFiles,
  })
  const observers: ((event: SandboxEvent) => void)[] = []
  const onEvent = (event: SandboxEvent, live: boolean) => {
    if (live) {
      events.publish(event)
      if (event.type === 'change') ports.follow(event.data, () => sandboxes.get(event.sandbox)!)
    }
    hooks.onEvent?.(event)
    for (const observer of observers) observer(event)
  }
  let told = false
  const onJournalsCleared = (count: number) => {
    if (!told) notice('warn', `${FORGOTTEN} This time ${count} of them had to.`)
    told = true
  }
  const sandboxes: Sandboxes = new Sandboxes(launch, {
    ...parts,
    most: options.maxSandboxes,
    emit: onEvent,
    onJournalsCleared,
    onDrop(sandbox) {
      events.drop(sandbox.name)
      ports.drop(sandbox).catch(onDefect)
    },
  })
  const seeded = { fixture: String(shown('fixture', options.fixture)), sha256: launch.fixtureSha256 }
  const store = openStore(db, launch.files.fixture, {
    durability: options.durability,
    seeded,
    calls: parts.files,
    compactAt: parts.compactAt,
    onWarning: text => notice('warn', text),
  })
  const { warnings, resumed } = await attachStore(store, sandboxes.default, { fresh: options.fresh }).catch(error => {
    throw db === undefined ? error : whyUnusable(error, db)
  })
  const firstSeq = sandboxes.default.seq
  for (const text of [...launch.fixture.notes, ...warnings]) notice('warn', text)
  await ports.open(sandboxes.default)

  const delay = options.delay === undefined ? undefined : parseDurationRange(options.delay)
  const api = createApi({
    sandboxes,
    vendor,
    instance,
    versionHeader: versionHeader(vendor),
    trustProxy,
    baseUrl,
    delay,
    onDefect,
  })
  const refusals = new Map<string, string>()
  const health = () => ({ status: 'ok', version, uptime_ms: Math.round(performance.now() - startedAt) })
  let control: Promise<ReturnType<typeof createControl>> | undefined
  const loadControl = async () => {
    const { createControl } = await import('../control/app.ts')
    const context = {
      sandboxes,
      events,
      observe: (observer: (event: SandboxEvent) => void) => void observers.push(observer),
      traffic: () => ports.traffic(),
      version,
      vendor,
      instance,
      startedAt,
      health,
      certificate: () => certificate ?? ports.certificate,
      pageFolder: join(packageFolder(), 'dist/page'),
      trustProxy,
      self: () => ({ url, fingerprint }),
      url: (origin: string) => baseUrl ?? origin,
      info: () => ({
        fixture: shown('fixture', options.fixture),
        scenario: shown('scenario', options.scenario ?? null),
        tokens: sandboxes.tokensOf(sandboxes.default),
        sandboxes: { count: sandboxes.count, most: sandboxes.most, expired: sandboxes.expired },
        options: shownOptions(options),
        refused: [...refusals].map(([msg, at]) => ({ at, msg })),
      }),
    }
    return createControl(context, onDefect)
  }
  const onRequest = createRequestHandler({
    guard: {
      allowedHosts: [...(options.allowedHost ?? []), ...(base ? [base.hostname] : [])],
      cors: options.cors ?? [],
      controlToken,
      trustProxy,
      baseOrigin: base?.origin,
    },
    vendor,
    instance,
    api,
    health,
    control() {
      control ??= loadControl()
      return control
    },
    refusals,
    warn: text => notice('warn', text),
    onDefect,
  })

  const make = () => {
    const headers = { [INSTANCE_HEADER]: instance }
    const server = createHttpServer({ classes: api.classes, vendor, headers, onRequest, tls, patience: PATIENCE })
    server.maxConnections = MOST_CONNECTIONS
    return server
  }
  const { servers, port } = await listenOn(make, host, options.port).catch(async error => {
    await store.close()
    throw error
  })
  const urlAt = (address: string) => `${tls ? 'https' : 'http'}://${address}:${port}`
  const url = urlAt(addressOf(host))
  const fingerprint = tls && new X509Certificate(tls.cert).fingerprint256
  const idle =
    options.sandboxTtl === undefined
      ? undefined
      : new IdleSandboxes({
          ttl: options.sandboxTtl,
          sandboxes,
          isHeld: sandbox => events.isRead(sandbox.name) || ports.isConnected(sandbox),
          onExpired: data => onEvent({ type: 'expired', sandbox: 'default', data }, true),
          onDefect,
        })
  let closing: Promise<void> | undefined
  return {
    url,
    port,
    token: sandboxes.tokenFor(sandboxes.default),
    tokens: sandboxes.tokensOf(sandboxes.default),
    certificate: certificate ?? ports.certificate,
    listeners: ports.listeners(sandboxes.default),
    fingerprint,
    otherUrls: () => addressesOf(host)?.map(urlAt),
    database: db === undefined ? undefined : describeDatabase(db, sandboxes.default.tables, seeded, resumed),
    stored() {
      const { tables, seq } = sandboxes.default
      return db === undefined ? undefined : { file: db, records: countRecords(tables), changes: seq - firstSeq }
    },
    sandboxes,
    files: launch.files,
    isSound: () => sandboxes.list().every(({ halfApplied }) => !halfApplied),
    reload: what => sandboxes.relaunch(what),
    close() {
      if (!closing) {
        idle?.stop()
        events.close()
        closing = Promise.all([close(servers, parts.closeMs), ports.close()]).then(() => store.close())
      }
      return closing
    },
  }
}

const MOST_CONNECTIONS = 2_000
/** In seconds: requests of the API are small. */
const PATIENCE = { headers: 5, request: 15 }

const FORGOTTEN =
  'all sandboxes together keep too many requests: those that were not used for the longest time lose their journals. Drop sandboxes that are no longer needed.'
