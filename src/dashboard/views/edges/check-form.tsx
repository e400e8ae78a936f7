import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { TextField } from '../../parts/inputs.tsx'
import { useSubmit } from '../../state/actions.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { TrafficVerdict } from '../../types.ts'
import { CheckResult } from './check-result.tsx'

interface Props {
  /** The request body, without the source IP. */
  body(): Record<string, unknown>
  label: string
  /** More inputs. */
  children?: ComponentChildren
}

/** Evaluates a request without sending it through the edge. */
export function CheckForm({ body, label, children }: Props) {
  const source = useSignal('127.0.0.1')
  const checked = useSignal<{ source: string; result: TrafficVerdict } | undefined>(undefined)
  const { submit, error } = useSubmit(async () => {
    const source_ip = source.value.trim()
    const result = await sandboxControl<TrafficVerdict>('POST', '/traffic/check', {
      body: { source_ip, ...body() },
    })
    checked.value = { source: source_ip, result }
    return undefined
  })
  return (
    <form class="check-form" aria-label={label} onSubmit={submit}>
      <div class="check-fields">
        <TextField label="Source IP" text={source} />
        {children}
        <button type="submit" class="button">
          Check
        </button>
      </div>
      <div class="check-result" role="status">
        {error ? <p class="field-error">✕ {error.message}</p> : checked.value && <CheckResult {...checked.value} />}
      </div>
    </form>
  )
}
