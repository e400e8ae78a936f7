import { computed, signal } from '@preact/signals'
import { versionHeader } from '../../../contract/names.ts'
import { info, resources } from '../../state/simulator.ts'
import { type Draft, type Drafted, EMPTY, operationOf } from './draft.ts'
import { type Operation, operationsOf } from './operations.ts'

export const operations = computed<readonly Operation[]>(() => (resources.value ? operationsOf(resources.value) : []))

/** The console's content. Preserved while other views are shown. */
export const draft = signal<Draft>({ ...EMPTY, operation: 'list_api_keys' })

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

/** The version header of the simulated vendor. */
export const versionName = () => versionHeader(info.value?.vendor ?? 'service')
