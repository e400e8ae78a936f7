import { computed, signal } from '@preact/signals'
import { versionHeader } from '../../../contract/names.ts'
import { info, resources } from '../../state/simulator.ts'
import { type Draft, type Drafted, EMPTY, operationOf } from './draft.ts'
import { type Operation, operationsOf } from './operations.ts'

export const operations = computed<readonly Operation[]>(() => (resources.value ? operationsOf(resources.value) : []))

/** What is in the console. It stays while other views are shown. */
export const draft = signal<Draft>({ ...EMPTY, operation: 'list_api_keys' })

export const drafted = computed<Drafted>(() => ({
  draft: draft.value,
  operation: operationOf(draft.value, operations.value),
}))

export const amend = (change: Partial<Draft>) => {
  draft.value = { ...draft.value, ...change }
}

/** Another operation has another form. */
export const chooseOperation = (id: string) =>
  amend({ operation: id, params: {}, values: {}, text: undefined, gaps: [] })

/** The name of the version header of the vendor that is simulated. */
export const versionName = () => versionHeader(info.value?.vendor ?? 'service')
