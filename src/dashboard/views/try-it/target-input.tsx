import { useSignal } from '@preact/signals'
import { Combobox } from '../../parts/combobox.tsx'
import { FieldInput } from '../../parts/field-input.tsx'
import { Segments, Select } from '../../parts/inputs.tsx'
import { Method } from '../../parts/status.tsx'
import { hasWords } from '../../state/lists.ts'
import { sandbox } from '../../state/place.ts'
import { amend, chooseOperation, draft, drafted, firstOperation, operations } from './console-state.ts'
import { targetOf } from './draft.ts'
import { DraftText } from './message-input.tsx'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const MODES = [
  ['operation', 'Operation'],
  ['any', 'Any path'],
] as const

/** Switching preserves the parameters in the path, and finds the operation of a path. */
function changeMode(mode: 'operation' | 'any') {
  if (mode === 'any') amend({ operation: undefined, ...targetOf(drafted.value) })
  else chooseOperation(drafted.value.operation?.id ?? firstOperation())
}

/** The operations with these words in their ID, method, path or resource, as options of a combobox. */
export const operationOptions = (words = '') =>
  operations.value
    .filter(operation => hasWords(operation.words, words))
    .map(({ id, method, path }) => ({
      value: id,
      content: (
        <>
          <Method method={method} /> <span class="mono clip grow">{path}</span> <span class="muted clip">{id}</span>
        </>
      ),
    }))

function OperationInput() {
  const text = useSignal<string | undefined>(undefined)
  const { params } = draft.value
  const { operation } = drafted.value
  return (
    <>
      <Combobox
        label="Operation"
        placeholder="Search by ID, method, path or resource"
        value={draft.value.operation ?? ''}
        typed={text}
        options={operationOptions(text.value)}
        onChoose={chooseOperation}
      />
      {operation && (
        <div class="console-params">
          {[...operation.pathFields, ...operation.queryFields].map(field => (
            <FieldInput
              key={`${sandbox.value} ${operation.id} ${field.name}`}
              field={field}
              value={params[field.name]}
              onChange={value => amend({ params: { ...params, [field.name]: String(value ?? '') } })}
            />
          ))}
        </div>
      )}
    </>
  )
}

function AnyPath() {
  const match = drafted.value.operation
  return (
    <>
      <div class="any-path">
        <Select
          label="Method"
          value={draft.value.method}
          choices={METHODS}
          onChange={chosen => amend({ method: chosen })}
        />
        <DraftText label="Path and query" name="path" />
      </div>
      <p class="muted small-text">{match ? `Matches ${match.id}.` : 'No matching operation.'}</p>
    </>
  )
}

/** Chooses an operation with its parameters, or any method and path. */
export function TargetInput() {
  const mode = draft.value.operation === undefined ? 'any' : 'operation'
  return (
    <>
      <Segments label="Request target" choices={MODES} value={mode} onChange={changeMode} />
      {mode === 'any' ? <AnyPath /> : <OperationInput />}
    </>
  )
}
