import { FieldInput } from '../../parts/field-input.tsx'
import { Segments } from '../../parts/inputs.tsx'
import { Method } from '../../parts/status.tsx'
import { sandbox } from '../../state/place.ts'
import { amend, chooseOperation, draft, drafted } from './console-state.ts'
import { targetOf } from './draft.ts'
import { OperationPicker } from './operation-picker.tsx'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const MODES = [
  ['operation', 'Operation'],
  ['any', 'Any path'],
] as const

/** Switching preserves the parameters in the path, and finds the operation of a path. */
function changeMode(mode: 'operation' | 'any') {
  if (mode === 'any') amend({ operation: undefined, ...targetOf(drafted.value) })
  else chooseOperation(drafted.value.operation?.id ?? 'list_api_keys')
}

function AnyPath() {
  const { method, path } = draft.value
  const match = drafted.value.operation
  return (
    <>
      <div class="any-path">
        <label class="field">
          <span>Method</span>
          <select value={method} onChange={event => amend({ method: event.currentTarget.value })}>
            {METHODS.map(each => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label class="field grow">
          <span>Path and query</span>
          <input
            type="text"
            class="mono"
            spellcheck={false}
            value={path}
            onInput={event => amend({ path: event.currentTarget.value })}
          />
        </label>
      </div>
      <p class="muted small-text">{match ? `Matches ${match.id}.` : 'No matching operation.'}</p>
    </>
  )
}

function Parameters() {
  const { params } = draft.value
  const { operation } = drafted.value
  if (!operation) return null
  const { method, path } = targetOf(drafted.value)
  return (
    <>
      <p class="target">
        <Method method={method} /> <span class="mono wrap">{path}</span>
      </p>
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
    </>
  )
}

/** Chooses an operation with its parameters, or any method and path. */
export function TargetInput() {
  const isAny = draft.value.operation === undefined
  return (
    <>
      <Segments label="Request target" choices={MODES} value={isAny ? 'any' : 'operation'} onChange={changeMode} />
      {isAny ? (
        <AnyPath />
      ) : (
        <>
          <OperationPicker />
          <Parameters />
        </>
      )}
    </>
  )
}
