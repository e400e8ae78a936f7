import { computed, effect, signal, untracked } from '@preact/signals'
import type { ClockInfo, Info, Resources, SandboxInfo, ScenarioReport } from '../types.ts'
import { callIn, control, sandboxPath, tokenPrompt } from '../wire/control.ts'
import { pause, RETRY_MS, servedBy } from '../wire/events.ts'
import { errorFrom, RequestError, toRequestError } from '../wire/request-error.ts'
import { live, requestVersion, stateVersion } from './live.ts'
import { place, sandbox } from './place.ts'
import { useRemote } from './remote.ts'

const POLL_MS = 5_000
/** Response timeout of GET /_sim/info. */
const INFO_TIMEOUT_MS = 5_000

export const info = signal<Info | undefined>(undefined)
export const resources = signal<Resources | undefined>(undefined)
export const sandboxes = signal<readonly SandboxInfo[]>([])
export const scenario = signal<ScenarioReport | undefined>(undefined)
/** The sandbox clock, and when it was loaded. */
export const clock = signal<(ClockInfo & { loadedAt: number }) | undefined>(undefined)

/** The sandbox time in milliseconds, extrapolated from the last response. */
export function sandboxTime(): number {
  const { value } = clock
  if (!value) return Date.now()
  return Date.parse(value.now) + (value.frozen ? 0 : Date.now() - value.loadedAt)
}

/** Calls the control API for the current sandbox. */
export const sandboxControl = <T = void>(method: string, path: string, options?: Parameters<typeof control>[2]) =>
  control<T>(method, sandboxPath(sandbox.value, path), options)

/** Loads data of the current sandbox, and again when `version` changes. Without a path, loads nothing. */
export const useGet = <T>(path: string | undefined, version: unknown = stateVersion.value) =>
  useRemote(`${sandbox.value} ${path}`, version, async signal =>
    path === undefined ? undefined : await sandboxControl<T>('GET', path, { signal }),
  )

export const loadSandboxes = async () => {
  const { sandboxes: list } = await control<{ sandboxes: SandboxInfo[] }>('GET', '/sandboxes')
  const name = sandbox.value
  // Behind a proxy, another simulator may have the sandbox. Then this list does not contain it.
  const elsewhere = list.some(each => each.name === name) ? undefined : await findSandbox(name)
  sandboxes.value = elsewhere ? [...list, elsewhere] : list
}

/** Undefined if the sandbox does not exist. */
async function findSandbox(name: string): Promise<SandboxInfo | undefined> {
  try {
    return await control<SandboxInfo>('GET', `/sandboxes/${encodeURIComponent(name)}`)
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined
    throw error
  }
}

/** Unless it exists: PUT would reset it. A test may have created it since, in another simulator behind a proxy too. */
export async function createSandbox(name: string) {
  if (!(await findSandbox(name))) await control('PUT', `/sandboxes/${encodeURIComponent(name)}`)
}

const loadResources = async () => {
  resources.value = await control<Resources>('GET', '/resources')
}

/** When the simulator stopped responding. */
export const silentSince = signal<Date | undefined>(undefined)
/** The last restart since the dashboard was opened, and whether it preserved the state of the default sandbox. */
export const restart = signal<{ at: string; stateKept: boolean } | undefined>(undefined)

/** Whether the simulator restarted in between. With a seed, every run has the same instance name. */
function wasRestarted(before: Info, now: Info): boolean {
  if (before.instance === now.instance && before.started_at === now.started_at) return false
  // Behind a load balancer, a different process may serve the sandbox.
  return servedBy.value === undefined || [before.instance, now.instance].includes(servedBy.value)
}

/** Statuses that mean no response, directly or through a proxy. */
const NO_RESPONSE = [0, 502, 503, 504]

/** Arriving events and a token prompt prove that the simulator responds. */
function noteSilence() {
  if (live.value === 'live' || tokenPrompt.value) return
  silentSince.value ??= new Date()
}

/** Checks whether the simulator responds, and whether it has restarted. */
async function loadInfo() {
  const timeout = setTimeout(noteSilence, INFO_TIMEOUT_MS)
  try {
    const got = await control<Info>('GET', '/info')
    const before = info.value
    info.value = got
    silentSince.value = undefined
    if (!before || !wasRestarted(before, got)) return
    const stateKept = got.database !== null && got.database === before.database && got.options.fresh !== true
    restart.value = { at: got.started_at, stateKept }
    await loadResources()
  } catch (error) {
    if (NO_RESPONSE.includes(toRequestError(error).status)) noteSilence()
  } finally {
    clearTimeout(timeout)
  }
}

/** Polls until events arrive again. Also runs in a hidden tab, because the title shows the connection state. */
async function watchResponses() {
  do {
    await loadInfo()
    await pause(RETRY_MS)
  } while (live.value === 'lost')
}

export async function loadClock() {
  const name = sandbox.value
  const got = await sandboxControl<ClockInfo>('GET', '/clock')
  if (name === sandbox.value) clock.value = { ...got, loadedAt: Date.now() }
}

export async function loadScenario() {
  const name = sandbox.value
  const got = await sandboxControl<ScenarioReport>('GET', '/scenario')
  if (name === sandbox.value) scenario.value = got
}

const quietly = (load: () => Promise<unknown>) => void untracked(load).catch(() => {})

/** Clocks, scenarios and sandboxes change without events, so they are polled while the tab is visible. */
export function startPolling() {
  const poll = () => {
    if (document.hidden) return
    // Constant, but the first request may have failed. `peek`: the effect must not track it.
    if (!resources.peek()) quietly(loadResources)
    quietly(loadInfo)
    quietly(loadClock)
    quietly(loadScenario)
    quietly(loadSandboxes)
  }
  effect(() => {
    sandbox.value
    clock.value = undefined
    scenario.value = undefined
    poll()
  })
  effect(() => {
    // A state change may be a reset, which also resets clock, rules and tokens.
    stateVersion.value
    poll()
  })
  effect(() => {
    live.value
    quietly(watchResponses)
  })
  effect(() => {
    requestVersion.value
    if (place.value.view === 'scenario') quietly(loadScenario)
  })
  setInterval(poll, POLL_MS)
  document.addEventListener('visibilitychange', poll)
}

/** A token for the current sandbox, if known. */
export const token = computed(() => sandboxes.value.find(({ name }) => name === sandbox.value)?.token ?? null)

/** Calls the simulated API in the current sandbox. */
export async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const noToken =
    'Cannot call the API: no token of the fixture is valid in this sandbox. Reset the sandbox to restore them.'
  if (!token.value) throw new RequestError(0, noToken)
  const call = { method, path, token: token.value, body, timeout: '60s' }
  const { status, failure, body: content } = await callIn(sandbox.value, call)
  if (status === null || failure) {
    const what = status === null ? 'No response' : 'The response was cut off'
    throw new RequestError(0, `${what}. The active scenario may have caused this. See the request log.`)
  }
  const isText = typeof content === 'string'
  if (status >= 400) throw errorFrom(status, isText ? content : content === null ? '' : JSON.stringify(content))
  if (isText) throw new RequestError(status, `The response has status ${status}, but is not JSON.`)
  return content as T
}

export type SandboxToken = Info['tokens'][number]

/** The valid tokens of a sandbox, as sent in requests. */
export async function loadTokens(name: string, signal?: AbortSignal): Promise<readonly SandboxToken[]> {
  const path = `/sandboxes/${encodeURIComponent(name)}`
  const { tokens } = await control<Pick<Info, 'tokens'>>('GET', path, { signal })
  const suffix = name === 'default' ? '' : `~${name}`
  return tokens.map(each => ({ ...each, token: each.token + suffix }))
}

/** Undefined while loading. Empty if the sandbox no longer exists. */
export function useTokens(name: string): readonly SandboxToken[] | undefined {
  const { data, error } = useRemote(`tokens ${name}`, stateVersion.value, signal => loadTokens(name, signal))
  return error ? [] : data
}
