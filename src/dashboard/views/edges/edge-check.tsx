import { useSignal } from '@preact/signals'
import { TextField } from '../../parts/inputs.tsx'
import { PairsInput } from '../../parts/pairs-input.tsx'
import { CheckForm } from './check-form.tsx'

/** Checks how the edge handles a connection, or a request if it accepts requests. */
export function EdgeCheck({ edge, acceptsRequests }: { edge: string; acceptsRequests: boolean }) {
  const path = useSignal('/')
  const headers = useSignal<unknown>({})
  const body = () => (acceptsRequests ? { edge, path: path.value, headers: headers.value } : { edge })
  return (
    <details class="edge-check">
      <summary>
        Check a {acceptsRequests ? 'request' : 'connection'}
        <span class="hidden"> to {edge}</span>
      </summary>
      <CheckForm body={body} label={`Check ${edge}`}>
        {acceptsRequests && (
          <>
            <TextField label="Path" text={path} />
            <PairsInput
              label="Headers"
              value={headers.value}
              onChange={next => {
                headers.value = next
              }}
            />
          </>
        )}
      </CheckForm>
    </details>
  )
}
