import { computed, effect, signal } from '@preact/signals'
import { info, resources } from '../../state/simulator.ts'
import type { CallResponse } from '../../wire/control.ts'
import { type Draft, type Drafted, EMPTY, type Operation, operationOf, operationsOf } from './draft.ts'

export const operations = computed<readonly Operation[]>(() => (resources.value ? operationsOf(resources.value) : []))

/** The console's content. Preserved while other views are shown. */
export const draft = signal<Draft>({ ...EMPTY, operation: '' })

/** The operation of an empty console. */
export const firstOperation = () => info.value?.api.first.operation ?? ''

effect(() => {
  const operation = firstOperation()
  if (draft.peek().operation === '') draft.value = { ...EMPTY, operation }
})

export const drafted = computed<Drafted>(() => ({
  draft: draft.value,
  operation: operationOf(draft.value, operations.value),
}))

export const amend = (change: Partial<Draft>) => {
  draft.value = { ...draft.value, ...change }
}

/** Clears the form, which depends on the operation. */
export const chooseOperation = (id: string) =>
  amend({ operation: id, params: {}, values: {}, text: undefined, gaps: [] })

/** The headers that the API requires in every request. */
export const requiredHeaders = () => info.value?.api.headers ?? {}

interface Target {
  sandbox: string
  method: string
  path: string
}

/** The last response. Preserved while other views are shown. */
export const received = signal<(Target & CallResponse) | undefined>(undefined)

type Sent = Target & Pick<CallResponse, 'id' | 'status'> & { draft: Draft }

const STORAGE_KEY = 'edgesim-sent'
const MAX_SENT = 20

/** The last requests, newest first, preserved on reload. */
export const sentRequests = signal<readonly Sent[]>(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]'))

export function noteResponse(target: Target, response: CallResponse) {
  const { id, status } = response
  received.value = { ...target, ...response }
  // A typed token may be a secret.
  const stored = { ...target, id, status, draft: { ...draft.value, typed: '' } }
  sentRequests.value = [stored, ...sentRequests.value].slice(0, MAX_SENT)
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(sentRequests.value))
}

/** Fills in a sent request again. */
export function repeat(sent: Sent) {
  draft.value = sent.draft
  received.value = undefined
}
