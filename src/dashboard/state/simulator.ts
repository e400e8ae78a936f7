import { computed, effect, signal, untracked } from '@preact/signals'
import type { ClockInfo, Info, Resources, SandboxInfo, ScenarioReport } from '../types.ts'
import { type ApiAccess, callApi } from '../wire/api.ts'
import { control, sandboxPath } from '../wire/control.ts'
import { tokenWanted } from '../wire/control-token.ts'
import { pause } from '../wire/events.ts'
import { RequestError, toRequestError } from '../wire/request-error.ts'
import { noteRestart, silentSince, wasRestarted } from './connection.ts'
import { live, requestVersion, stateVersion } from './live.ts'
import { place, sandbox } from './place.ts'
import { useRemote } from './remote.ts'

const POLL_MS = 5_000
/** A simulator that takes longer to say what it is does not answer. */
const PATIENCE_MS = 5_000
/** So often one that does not answer is asked. */
const ASK_MS = 1_000

export const info = signal<Info | undefined>(undefined)
export const resources = signal<Resources | undefined>(undefined)
export const sandboxes = signal<readonly SandboxInfo[]>([])
export const scenario = signal<ScenarioReport | undefined>(undefined)
/** The clock of the sandbox, and when it was asked for. */
export const clock = signal<(ClockInfo & { askedAt: number }) | undefined>(undefined)

/** A call of the control plane for the sandbox that is shown. */
export const sandboxControl = <T = void>(method: string, path: string, options?: Parameters<typeof control>[2]) =>
  control<T>(method, sandboxPath(sandbox.value, path), options)

export const loadSandboxes = async () => {
  const { sandboxes: list } = await control<{ sandboxes: SandboxInfo[] }>('GET', '/sandboxes')
  const name = sandbox.value
  // Behind a proxy, another simulator may have it: then it is not in this one's list.
  const elsewhere = list.some(each => each.name === name) ? undefined : await findSandbox(name)
  sandboxes.value = elsewhere ? [...list, elsewhere] : list
}

/** Undefined if there is no sandbox of that name. */
export async function findSandbox(name: string): Promise<SandboxInfo | undefined> {
  try {
    return await control<SandboxInfo>('GET', `/sandboxes/${encodeURIComponent(name)}`)
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return undefined
    throw error
  }
}

const loadResources = async () => {
  resources.value = await control<Resources>('GET', '/resources')
}

/** What a proxy answers when the simulator behind it does not. */
const SILENT = [0, 502, 503, 504]

let lostAt = new Date()

/** Events that still arrive are an answer too, and to ask for a token is one. */
function noteSilence() {
  if (live.value === 'live' || tokenWanted.value) return
  silentSince.value ??= live.value === 'lost' ? lostAt : new Date()
}

/** Asks the simulator what it is: whether it answers, and whether it is still the one that it was. */
async function loadInfo() {
  const patience = setTimeout(noteSilence, PATIENCE_MS)
  try {
    const got = await control<Info>('GET', '/info')
    const before = info.value
    info.value = got
    silentSince.value = undefined
    if (!before || !wasRestarted(before, got)) return
    noteRestart(before, got)
    await loadResources()
  } catch (error) {
    if (SILENT.includes(toRequestError(error).status)) noteSilence()
  } finally {
    clearTimeout(patience)
  }
}

/** Asks until events arrive again. Also while the page is hidden: its title says whether the simulator answers. */
function watchResponses() {
  if (live.value !== 'lost') return quietly(loadInfo)
  lostAt = new Date()
  const ending = new AbortController()
  void untracked(async () => {
    while (!ending.signal.aborted) {
      await loadInfo()
      await pause(ASK_MS, ending.signal)
    }
  })
  return () => ending.abort()
}

export async function loadClock() {
  const name = sandbox.value
  const got = await sandboxControl<ClockInfo>('GET', '/clock')
  if (name === sandbox.value) clock.value = { ...got, askedAt: Date.now() }
}

export async function loadScenario() {
  const name = sandbox.value
  const got = await sandboxControl<ScenarioReport>('GET', '/scenario')
  if (name === sandbox.value) scenario.value = got
}

const quietly = (load: () => Promise<unknown>) => void untracked(load).catch(() => {})

/** Clocks, scenarios and sandboxes change without an event, so they are polled while the page is visible. */
export function startPolling() {
  const poll = () => {
    if (document.hidden) return
    // They never change, but the first question may have got no answer. No reason to poll: an effect must not track it.
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
    // A change of state may be a reset, which also resets clock, rules and tokens.
    stateVersion.value
    poll()
  })
  effect(watchResponses)
  effect(() => {
    requestVersion.value
    if (place.value.view === 'scenario') quietly(loadScenario)
  })
  setInterval(poll, POLL_MS)
  document.addEventListener('visibilitychange', poll)
}

/** A token that acts in the sandbox that is shown; null when none is known. */
export const token = computed(() => {
  const own = sandboxes.value.find(({ name }) => name === sandbox.value)
  return own?.token ?? null
})

const access = computed<ApiAccess | undefined>(() =>
  info.value && token.value
    ? { token: token.value, vendor: info.value.vendor, version: info.value.version }
    : undefined,
)

/** A call of the simulated API in the sandbox that is shown. */
export function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (access.value) return callApi<T>(access.value, method, path, body)
  const why = 'No token of the launch fixture works in this sandbox any more, so the page cannot call the API in it.'
  return Promise.reject(new RequestError(0, `${why} A reset brings them back.`))
}

export type SandboxToken = Info['tokens'][number]

/** A token of `default` is sent as it is; that of another sandbox with its name. */
const inSandbox = (token: string, name: string) => (name === 'default' ? token : `${token}~${name}`)

/** The tokens that work in a sandbox, as they are sent. */
export async function loadTokens(name: string, signal?: AbortSignal): Promise<readonly SandboxToken[]> {
  const path = `/sandboxes/${encodeURIComponent(name)}`
  const { tokens } = await control<Pick<Info, 'tokens'>>('GET', path, { signal })
  return tokens.map(each => ({ ...each, token: inSandbox(each.token, name) }))
}

/** Undefined while they are not known yet; a sandbox that is gone has none. */
export function useTokens(name: string): readonly SandboxToken[] | undefined {
  const { data, error } = useRemote(`tokens ${name}`, stateVersion.value, signal => loadTokens(name, signal))
  return error ? [] : data
}
