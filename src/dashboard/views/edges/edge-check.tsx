import { useSignal } from '@preact/signals'
import { TextField } from '../../parts/inputs.tsx'
import { PairsInput } from '../../parts/pairs-input.tsx'
import { CheckForm } from './check-form.tsx'

/** What the edge would decide about a connection, or about a request if it takes requests. */
export function EdgeCheck({ edge, takesRequests }: { edge: string; takesRequests: boolean }) {
  const path = useSignal('/')
  const headers = useSignal<unknown>({})
  const question = () => (takesRequests ? { edge, path: path.value, headers: headers.value } : { edge })
  return (
    <details class="edge-check">
      <summary>
        Check a {takesRequests ? 'request' : 'connection'}
        <span class="hidden"> to {edge}</span>
      </summary>
      <CheckForm question={question} label={`Check ${edge}`}>
        {takesRequests && (
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
