import { hash, randomUUID, X509Certificate } from 'node:crypto'
import { isLocalHost } from '../basics/cidr.ts'
import { parseDurationRange } from '../basics/duration.ts'
import { performance, wallClock } from '../basics/real-time.ts'
import type { ApiInfo } from '../contract/info.ts'
import { INSTANCE_HEADER, OPERATION_HEADER } from '../contract/names.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { operationsNamed } from '../control/report/counts.ts'
import type { Api } from '../engine/api.ts'
import { NamedFiles } from '../engine/files/named-files.ts'
import { parseTime } from '../engine/language/index.ts'
import type { LaunchSettings } from '../engine/launch/launch.ts'
import type { ServedApi } from '../engine/plugin.ts'
import { ngrok } from '../ngrok/api.ts'
import { addressOf } from '../server/http/client-address.ts'
import { type GuardOptions, hostChecker } from '../server/http/guard.ts'
import { type CompleteOptions, completeOptions, type SimulatorOptions, wantsTls } from './options/options.ts'
import { standInSettings } from './stand-in/settings.ts'

export type Settings = Awaited<ReturnType<typeof readSettings>>

/** A fixture of the built-in API does not fit another one. */
const withOwnDefaults = ({ name }: Api, options: SimulatorOptions): SimulatorOptions => ({
  fixture: {},
  vendor: name,
  ...options,
})

/** Converts options to settings. Throws if an option is invalid. */
export async function readSettings(given: SimulatorOptions & { api?: ServedApi }) {
  const started = performance.now()
  const { api: own, ...rest } = given
  const options = completeOptions(own ? withOwnDefaults(own, rest) : rest, own)
  const { vendor, baseUrl, trustProxy, delay } = options
  checkExposure(options)
  const tls = wantsTls(options) ? await makeCertificate(options) : undefined
  const api = own ?? ngrok
  const launch = launchSettings(api, options)
  return {
    options,
    vendor,
    baseUrl,
    trustProxy,
    operationHeader: api.operationHeader?.(vendor),
    instance: instanceOf(options),
    delay: delay === undefined ? undefined : parseDurationRange(delay),
    tls,
    /** The PEM that clients must trust. */
    certificate: tls?.selfSigned ? tls.cert : undefined,
    fingerprint: tls && new X509Certificate(tls.cert).fingerprint256,
    /** The URL of the simulator at an address. Default: the address for clients on this machine. */
    urlAt: (port: number, address = addressOf(options.host)) => `${tls ? 'https' : 'http'}://${address}:${port}`,
    guard: guardOptions(api, options),
    operations: operationsNamed(api.catalog, options.operations),
    standIn: standInSettings(options, api),
    launch,
    api,
    apiInfo: describeApi(api, vendor),
    uptimeMs: () => performance.now() - started,
    /** With milliseconds: with a seed, nothing else distinguishes two runs within a second. */
    startedAt: new Date(launch.now).toISOString(),
  }
}

/** A host that other machines can reach requires a control token. */
function checkExposure({ host, controlToken }: SimulatorOptions) {
  if (host === undefined || isLocalHost(host) || controlToken) return
  throw new SimulatorError(
    'UNSAFE_HOST',
    `--host ${host} exposes the control API to other machines. Set --control-token or EDGESIM_CONTROL_TOKEN.`,
  )
}

function describeApi({ name, catalog, firstOperation, requestHeaders }: Api, vendor: string): ApiInfo {
  const { id, method, path } = catalog.operations.find(each => each.id === firstOperation)!
  const tokens = catalog.keys !== undefined
  return { name, tokens, headers: requestHeaders?.(vendor) ?? {}, first: { operation: id, method, path } }
}

export async function makeCertificate(options: Partial<CompleteOptions>) {
  const { certificateFor } = await import('./tls/certificate.ts')
  return certificateFor(options)
}

/**
 * Distinguishes simulators behind one address. With a seed, responses must be identical in every run, so this value is
 * also derived from the seed. Simulators with the same seed differ only by their ports.
 */
const instanceOf = ({ seed, port }: CompleteOptions) =>
  (seed === undefined ? randomUUID() : hash('sha256', JSON.stringify([seed, port]))).slice(0, 8)

function guardOptions(
  api: Api,
  { vendor, baseUrl, allowedHost = [], cors = [], controlToken, trustProxy }: CompleteOptions,
): GuardOptions {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl)
  const isAllowedHost = hostChecker([...allowedHost, ...(base ? [base.hostname] : [])])
  const own = api.operationHeader?.(vendor) ?? []
  const exposedHeaders = [OPERATION_HEADER, own, INSTANCE_HEADER, 'Retry-After'].flat().join(', ')
  return { isAllowedHost, cors, exposedHeaders, controlToken, trustProxy, baseOrigin: base?.origin }
}

function launchSettings(api: Api, options: CompleteOptions): LaunchSettings {
  const { fixture, scenario, fixturesDir, scenariosDir, vendor, seed, clock, db } = options
  const { probed: _probed, ...assumed } = options.assume ?? {}
  return {
    api,
    vendor,
    fixture,
    scenario,
    fixtures: new NamedFiles('fixtures', fixturesDir),
    scenarios: new NamedFiles('scenarios', scenariosDir),
    flags: {
      assumed,
      seed: seed === undefined ? undefined : String(seed),
      clock: clock === undefined ? undefined : { now: parseTime(clock)!, frozen: true },
    },
    now: wallClock(),
    fingerprint: db !== undefined,
  }
}
