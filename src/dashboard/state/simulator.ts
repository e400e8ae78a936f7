import { computed, effect, signal, untracked } from '@preact/signals'
import type { ClockInfo, Info, Resources, SandboxInfo, ScenarioReport } from '../types.ts'
import { type ApiAccess, callApi } from '../wire/api.ts'
import { control, sandboxPath } from '../wire/control.ts'
import { RequestError } from '../wire/request-error.ts'
import { requestVersion, stateVersion } from './live.ts'
import { place, sandbox } from './place.ts'

const POLL_MS = 5_000

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

const loadInfo = async () => {
  info.value = await control<Info>('GET', '/info')
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
  quietly(loadInfo)
  quietly(async () => {
    resources.value = await control<Resources>('GET', '/resources')
  })
  const poll = () => {
    if (document.hidden) return
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
    quietly(loadInfo)
  })
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
